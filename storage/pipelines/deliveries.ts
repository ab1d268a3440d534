import type { AttemptOutcome } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { fromJsonText } from '../database/json-text.js';
import { prepared } from '../database/prepared.js';
import { errorOf } from '../transitions/follow-attempt.js';

/** Recent outcomes of the attempts delivered to an HTTP plugin. Attempts of deleted resources are not counted. */
export interface Deliveries {
  /** Within the last hour, counting at most the newest 1,000 attempts. */
  readonly succeeded: number;
  /** The same for attempts that failed or timed out. */
  readonly failed: number;
  readonly last_success_at: Date | null;
  readonly last_failure: { readonly at: Date; readonly code: string; readonly message: string } | null;
}

/** Reads the attempts of one outcome from the index, newest first, up to the number that is counted. */
const recent = (outcome: AttemptOutcome): string =>
  `(select outcome, settled_at from attempts
    where delivered_to = p.id and outcome = '${outcome}' and settled_at > now() - interval '1 hour'
    order by settled_at desc limit 1000)`;

const last = (outcome: AttemptOutcome): string =>
  `(select outcome, settled_at, error from attempts
    where delivered_to = p.id and outcome = '${outcome}' order by settled_at desc limit 1)`;

const read = prepared<{
  readonly plugin_id: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly error: string | null;
}>(
  'read_deliveries',
  `select p.id as plugin_id, counted.succeeded, counted.failed, success.settled_at as last_success_at,
     failure.settled_at as last_failure_at, failure.outcome, failure.error
   from unnest(?::text[]) as p (id)
   cross join lateral (
     select count(*) filter (where outcome = 'SUCCESS') as succeeded,
       count(*) filter (where outcome <> 'SUCCESS') as failed
     from (
       select outcome from (${recent('SUCCESS')} union all ${recent('FAILURE')} union all ${recent('TIMED_OUT')}) as every
       order by settled_at desc limit 1000
     ) as newest
   ) as counted
   left join lateral ${last('SUCCESS')} as success on true
   left join lateral (
     select outcome, settled_at, error from (${last('FAILURE')} union all ${last('TIMED_OUT')}) as both_kinds
     order by settled_at desc limit 1
   ) as failure on true`,
);

/** Recent delivery outcomes of HTTP plugins, by plugin id. */
export async function readDeliveries(
  db: Db,
  pluginIds: readonly string[],
): Promise<ReadonlyMap<string, Deliveries>> {
  if (pluginIds.length === 0) return new Map();
  const rows = await read(db, [[...pluginIds]]);
  return new Map(
    rows.map(({ plugin_id, last_failure_at: at, outcome, error, ...counted }) => {
      const { code, message } = errorOf({ outcome, error: fromJsonText(error) });
      return [plugin_id, { ...counted, last_failure: at && { at, code, message } }];
    }),
  );
}
