import { fingerprintOf } from '../../../core/secrets/secret-fingerprint.js';
import type { Db } from '../../../storage/database/connection.js';
import { readSecretState } from '../../../storage/secrets.js';
import { about, type Finding } from './finding.js';

const secret = about('KW_SECRET');

/** Checks whether the secrets match the database, and the progress of a secret rotation. */
export async function checkSecret(db: Db, secrets: readonly string[]): Promise<Finding[]> {
  const state = await readSecretState(db, secrets);
  const fingerprints = secrets.map(fingerprintOf);
  if (state.current !== null && !fingerprints.includes(state.current))
    return [
      secret.fail(
        'It is not the secret that this database was used with: API and worker refuse to start.',
        'Set it to the secret of the other processes, or to that of the backup.',
      ),
    ];
  if (state.unreadable > 0)
    return [
      secret.fail(
        `${valuesAre(state.unreadable)} encrypted with a secret that KW_SECRET does not contain (configs and signing secrets of plugins).`,
        'Add that secret after the first one, until all values are encrypted with the first.',
      ),
    ];
  const tokens = `${state.tokensOtherwise} running ${state.tokensOtherwise === 1 ? 'attempt' : 'attempts'} may hold a token signed with another secret`;
  if (fingerprints.length === 1) {
    return [
      state.tokensOtherwise === 0
        ? secret.ok('The secret of this database.')
        : secret.warn(
            `${tokens}, and their reports are refused.`,
            'Add the previous secret after this one until these attempts have ended, unless it leaked.',
          ),
    ];
  }
  if (state.current !== fingerprints[0]) {
    return [
      secret.ok(
        'The first is not the current secret yet. Once every process accepts all of them, restart API and worker with KW_SECRET in this order.',
      ),
    ];
  }
  const sealed = `${valuesAre(state.sealedOtherwise)} still encrypted with another one`;
  const next = state.hasNew
    ? 'To replace it, put the new one first once every process has both.'
    : 'The others are no longer needed: remove them.';
  return [
    secret.ok(
      state.sealedOtherwise + state.tokensOtherwise === 0
        ? `The first is the current one. ${next}`
        : `The first is the current one. Keep the others: ${sealed}, ${tokens}.`,
    ),
  ];
}

const valuesAre = (count: number): string => (count === 1 ? '1 value is' : `${count} values are`);
