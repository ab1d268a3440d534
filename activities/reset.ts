import type { Context } from '@temporalio/activity';
import type { AttemptRef } from '../core/wire/token.js';
import type { Db } from '../storage/database.js';
import { findNewerAttempt } from '../storage/transitions/claim-attempt.js';
import { interrupted } from './attempt-errors.js';
import { whenAvailable } from './when-available.js';

/**
 * Throws what schedules the step again at no cost when this attempt's number was used before: an operator has reset the
 * activity, and Temporal counts from 1 again. Returned as settled, the step would be COMPLETED without its artifacts.
 */
export async function throwIfReset(context: Context, db: Db, ref: AttemptRef): Promise<void> {
  const newer = await whenAvailable(context, () => findNewerAttempt(db, ref));
  if (newer !== null) throw interrupted(newer);
}
