import { SecretRefusedError, fingerprintLength, fingerprintOf } from '../core/secrets/secret-fingerprint.js';
import { seal, unseal } from '../core/secrets/sealing.js';
import type { Db } from './database/connection.js';

/** Every column with values made by `seal`, and the key of its table. */
const sealedColumns = [
  { table: 'plugins', column: 'config_sealed' },
  { table: 'plugins', column: 'secret_sealed' },
  { table: 'plugins', column: 'previous_secret_sealed' },
] as const;

/** The state of KW_SECRET relative to the database. */
export interface SecretState {
  /** The fingerprint of the current secret; null if no process has started yet. */
  readonly current: string | null;
  /** Whether a given secret was never the current one. */
  readonly hasNew: boolean;
  /** Number of values that none of the given secrets can unseal. */
  readonly unreadable: number;
  /** Number of values sealed with a given secret other than the first. */
  readonly sealedOtherwise: number;
  /** Number of open attempts that may hold a token signed with another secret than the first. */
  readonly tokensOtherwise: number;
}

interface SecretRow {
  readonly fingerprint: string;
  readonly current_since: Date | null;
}

/**
 * Registers a process with the database. Its list must include the current secret and every secret that still seals a
 * value. Its first secret becomes the current one.
 *
 * @returns whether the first secret was unknown until now, so that processes that started earlier do not know it either
 * @throws SecretRefusedError
 */
export async function acceptSecrets(
  db: Db,
  secrets: readonly string[],
): Promise<{ readonly isNew: boolean; readonly isFirst: boolean }> {
  const fingerprints = secrets.map(fingerprintOf);
  const [first] = fingerprints;
  if (first === undefined) throw new SecretRefusedError('KW_SECRET is missing.');
  return await db.transaction(async (trx) => {
    await trx.raw('lock table secrets in share row exclusive mode');
    const rows: SecretRow[] = await trx('secrets')
      .select('fingerprint', 'current_since')
      .orderByRaw('current_since desc nulls last');
    const [current] = rows;
    if (current !== undefined && !fingerprints.includes(current.fingerprint)) {
      throw new SecretRefusedError(
        'KW_SECRET is not the secret of this database: the other processes of the database sign and encrypt with another one. ' +
          'Set KW_SECRET to theirs. To replace a secret, list both, the old one first ' +
          '(docs/operations.md, "Replace KW_SECRET").',
      );
    }
    // An operator who lost the secret has emptied the configs (docs/operations.md, "If KW_SECRET is lost").
    await trx('plugins')
      .where({ config_sealed: '' })
      .update({ config_sealed: seal(secrets, '{}') });
    const unreadable = await countSealedOtherwise(trx, fingerprints);
    if (unreadable > 0) {
      throw new SecretRefusedError(
        `KW_SECRET lacks a secret that still encrypts ${unreadable} ${unreadable === 1 ? 'value' : 'values'} in ` +
          'the database (configs and signing secrets of plugins). Add it again, after the first one; ' +
          '"kw doctor" says when it is no longer needed.',
      );
    }
    await trx('secrets')
      .insert(fingerprints.map((fingerprint) => ({ fingerprint })))
      .onConflict('fingerprint')
      .ignore();
    if (current?.fingerprint !== first) {
      await trx('secrets')
        .where({ fingerprint: first })
        .update({ current_since: trx.raw('clock_timestamp()') });
    }
    const isFirst = current === undefined;
    return { isNew: !isFirst && !rows.some(({ fingerprint }) => fingerprint === first), isFirst };
  });
}

/**
 * Records that a process signs with a secret, so that it is known how long its tokens may be in use. It reports again
 * within 90 seconds, or up to `lateSeconds` later.
 */
export async function noteSecretUse(db: Db, secrets: readonly string[], lateSeconds: number): Promise<void> {
  await db('secrets')
    .where({ fingerprint: fingerprintOf(secrets[0] ?? '') })
    .update({ used_at: db.raw('greatest(used_at, now() + make_interval(secs => ?))', [lateSeconds]) });
}

/**
 * Reseals up to a hundred values of each column that another secret sealed. Does nothing if the first secret is not the
 * current one: processes with the previous secret may still be running and would undo it.
 */
export async function resealValues(db: Db, secrets: readonly string[]): Promise<void> {
  const first = fingerprintOf(secrets[0] ?? '');
  if ((await currentSecret(db)) !== first) return;
  for (const { table, column } of sealedColumns) {
    const values: string[] = await db(table)
      .whereRaw(`?? <> '' and substr(??, 4, ${fingerprintLength}) <> ?`, [column, column, first])
      .limit(100)
      .pluck(column);
    for (const value of values) {
      await db(table)
        .where({ [column]: value })
        .update({ [column]: seal(secrets, unseal(secrets, value)) });
    }
  }
}

/** Counts what other secrets still seal, and what none of the given ones can read. */
export async function readSecretState(db: Db, secrets: readonly string[]): Promise<SecretState> {
  const fingerprints = secrets.map(fingerprintOf);
  const first = fingerprints.slice(0, 1);
  const unreadable = await countSealedOtherwise(db, fingerprints);
  const used: string[] = await db('secrets').whereNotNull('current_since').pluck('fingerprint');
  return {
    current: await currentSecret(db),
    hasNew: fingerprints.some((fingerprint) => !used.includes(fingerprint)),
    unreadable,
    sealedOtherwise: (await countSealedOtherwise(db, first)) - unreadable,
    tokensOtherwise: await countTokens(db, first[0] ?? ''),
  };
}

async function currentSecret(db: Db): Promise<string | null> {
  const row: SecretRow | undefined = await db('secrets')
    .select('fingerprint', 'current_since')
    .whereNotNull('current_since')
    .orderBy('current_since', 'desc')
    .first();
  return row?.fingerprint ?? null;
}

async function countSealedOtherwise(db: Db, fingerprints: readonly string[]): Promise<number> {
  let sum = 0;
  for (const { table, column } of sealedColumns) {
    const result: { rows: [{ count: number }] } = await db.raw(
      `select count(*) from ?? where ?? <> '' and substr(??, 4, ${fingerprintLength}) <> all (?)`,
      [table, column, column, [...fingerprints]],
    );
    sum += result.rows[0].count;
  }
  return sum;
}

/** Open attempts that started while another secret was signing, see `noteSecretUse`. */
async function countTokens(db: Db, first: string): Promise<number> {
  const result: { rows: [{ count: number }] } = await db.raw(
    `select count(*) from attempts where outcome is null and started_at <=
       (select max(used_at) + interval '90 seconds' from secrets where fingerprint <> ?)`,
    [first],
  );
  return result.rows[0].count;
}
