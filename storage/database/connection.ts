import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { ServiceError } from '../../core/errors.js';
import { createConnectionGate, type ConnectionPool } from './fail-fast.js';
import type { Observer } from './observer.js';

/** A connection pool, or a transaction on one of its connections: what every repository takes first. */
export type Db = Knex;

// bigint columns hold sizes and counts, all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Milliseconds that making a connection may take. */
const connectMs = 2_500;
/** Milliseconds that waiting for a connection of the pool may take. */
const acquireMs = 3_000;
/** Milliseconds after which a server that did not end a statement that took too long is taken for hung. */
const graceMs = 1_000;

const silent = (): void => undefined;

/** What of pg's client says whether it is through with its last query. */
interface PgConnection {
  readonly readyForQuery: boolean;
}

/**
 * Opens a pool on a PostgreSQL database; connections are made when they are first needed. While the server is away it
 * fails at once; while it hangs or the pool is full, within three seconds.
 *
 * @param url `postgres://…`
 * @param options `poolSize`: connections at most. `statementMs`: milliseconds that a statement may take, 30,000 unless
 *   given. `observer` is told of what transactions settled.
 */
export function connectDatabase(
  url: string,
  {
    poolSize,
    statementMs = 30_000,
    observer,
  }: { readonly poolSize: number; readonly statementMs?: number; readonly observer?: Observer },
): Db {
  const gate = createConnectionGate();
  const config: Knex.Config & { readonly observer: Observer | undefined } = {
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'knowledge-warehouse',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      stream: () => gate.createSocket(statementMs + 5 * graceMs),
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: 30_000,
      // For a server that cannot say so any more.
      query_timeout: statementMs + graceMs,
    },
    pool: {
      min: 0,
      max: poolSize,
      // The gate says when the server is tried again.
      createRetryIntervalMillis: 1,
      // A connection whose query was given up on may never answer again.
      validate: (connection: PgConnection) => connection.readyForQuery,
    },
    acquireConnectionTimeout: acquireMs,
    // An error names its statement; what was bound to it is other people's.
    compileSqlOnError: false,
    // What fails is thrown and logged by those who asked; knex would write it to the console as well.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
    // Where every transaction of this pool finds it (observer.ts).
    observer,
  };
  const db = knexModule.default(config);
  gate.watch((db.client as { readonly pool: ConnectionPool }).pool);
  return db;
}

/** Carries out work in the transaction that `db` is already, or else in one of its own. */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction === true ? await work(db) : await db.transaction(work);
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
// Class 08: connection exception; 57P: shut-down and start-up; 53: too many connections, disk full, out of memory;
// 25006: read-only after a fail-over; 40: deadlock or serialisation failure.
const stateClasses = /^(08|57P|53|25006|40|57014)/;

/**
 * Whether an error says that the database is away, overloaded or starting rather than that the statement is wrong.
 * Source of the classes: PostgreSQL's appendix "Error Codes".
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    (error instanceof ServiceError && error.code === 'DATABASE_UNAVAILABLE') ||
    connectionCodes.has(code) ||
    stateClasses.test(code) ||
    error.name === 'KnexTimeoutError' ||
    /Connection terminated|not queryable|timeout expired|Query read timeout|timeout exceeded when trying to connect|Unable to acquire a connection/.test(
      error.message,
    )
  );
}

/** PostgreSQL's code for a disk without room. */
const diskFull = '53100';

/**
 * The result of a write, or null if the database's disk is full: for optional notes during a read, which
 * continues without them.
 */
export async function unlessDiskFull<T>(write: PromiseLike<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === diskFull) return null;
    throw error;
  }
}

/** Whether an error is PostgreSQL's answer to a statement: it has a SQLSTATE, none of which begins as Node's codes do. */
export function isStatementError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?!E)[0-9A-Z]{5}$/.test(String(error.code));
}

/** PostgreSQL's code for a table that is not there. */
const undefinedTable = '42P01';

/** An error as the caller should see it: DATABASE_UNAVAILABLE where the database is away or empty, else the error itself. */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && error.code === undefinedTable) {
    const message = 'The database lacks tables of the service: run "kw migrate".';
    return new ServiceError('DATABASE_UNAVAILABLE', message, {}, { cause: error });
  }
  return isDatabaseUnavailable(error)
    ? new ServiceError('DATABASE_UNAVAILABLE', 'The database cannot be reached.', {}, { cause: error })
    : error;
}

/** The name of the constraint that an insert, update or delete broke, or null. */
export function brokenConstraint(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('23') && typeof error.constraint === 'string'
    ? error.constraint
    : null;
}

/** How many connections of the pool are at work, idle, and waited for. */
export function poolUse(db: Db): {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
} {
  const { pool } = db.client as {
    readonly pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
  };
  return { used: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() };
}

/** The time by the database's clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
  return rows[0].now;
}

/** Resolves when the database answers. */
export async function checkDatabase(db: Db): Promise<void> {
  await db.raw('select 1').timeout(2_000);
}
