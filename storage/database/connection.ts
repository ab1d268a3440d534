import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { ServiceError } from '../../core/errors.js';
import { createConnectionGate, type ConnectionPool } from './fail-fast.js';
import type { Observer } from './observer.js';

/** A connection pool, or a transaction on one of its connections; the first parameter of every repository function. */
export type Db = Knex;

// bigint columns hold sizes and counts, all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** If the server does not cancel a timed-out statement within this many milliseconds, it counts as hung. */
const graceMs = 1_000;

const silent = (): void => undefined;

/** The part of pg's client that tells whether its last query has finished. */
interface PgConnection {
  readonly readyForQuery: boolean;
}

/** The parts of knex's client used here. */
interface KnexClient {
  readonly pool: ConnectionPool;
  acquireConnection(): Promise<unknown>;
}

/** Whether knex's pool had no connection within the time limit. */
const isAcquireTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KnexTimeoutError';

/**
 * Opens a pool on a PostgreSQL database; connections are opened on first use. Calls fail at once while the server is
 * unreachable, and after half of `waitMs` while it opens no connection. While all connections are in use, they fail
 * after `waitMs`, with the server's error if it refuses another one.
 *
 * @param url `postgres://…`
 * @param options `poolSize`: maximum number of connections. `statementMs`: statement timeout in milliseconds, 30,000
 *    by default. `waitMs`: how long a call waits for a connection, in milliseconds, 10,000 by default. `observer`
 *    is notified of the outcomes that transactions commit.
 */
export function connectDatabase(
  url: string,
  {
    poolSize,
    statementMs = 30_000,
    waitMs = 10_000,
    observer,
  }: {
    readonly poolSize: number;
    readonly statementMs?: number;
    readonly waitMs?: number;
    readonly observer?: Observer;
  },
): Db {
  const gate = createConnectionGate();
  const config: Knex.Config & { readonly observer: Observer | undefined } = {
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'knowledge-warehouse',
      keepAlive: true,
      stream: () => gate.createSocket({ openMs: waitMs / 2, silenceMs: statementMs + 5 * graceMs }),
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: 30_000,
      // In case the server is too hung to enforce the limit itself.
      query_timeout: statementMs + graceMs,
    },
    pool: {
      min: 0,
      max: poolSize,
      // The gate controls when the server is tried again.
      createRetryIntervalMillis: 1,
      // A connection with an abandoned query may never answer again.
      validate: (connection: PgConnection) => connection.readyForQuery,
    },
    acquireConnectionTimeout: waitMs,
    // Errors include the statement but not its bindings, which may hold users' data.
    compileSqlOnError: false,
    // Callers log the errors they catch; knex would also write them to the console.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
    // Transactions of this pool find the observer here (observer.ts).
    observer,
  };
  const db = knexModule.default(config);
  const client = db.client as KnexClient;
  gate.watch(client.pool);
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    try {
      return await acquire();
    } catch (error) {
      throw (isAcquireTimeout(error) ? gate.lastFailure() : null) ?? error;
    }
  };
  return db;
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
// Class 08: connection exception; 57P: shutdown and startup; 53: too many connections, disk full, out of memory;
// 25006: read-only after a failover; 40: deadlock or serialization failure.
const stateClasses = /^(08|57P|53|25006|40)/;
/** PostgreSQL's code for a statement that it cancelled, usually because of the time limit. */
const queryCancelled = '57014';

/**
 * Whether an error means that the database is unreachable, overloaded or starting, rather than that the statement is
 * wrong. The classes are from PostgreSQL's appendix "Error Codes".
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    (error instanceof ServiceError && error.code === 'DATABASE_UNAVAILABLE') ||
    connectionCodes.has(code) ||
    stateClasses.test(code) ||
    isStatementTimeout(error) ||
    isAcquireTimeout(error) ||
    /Connection terminated|not queryable|timeout expired|timeout exceeded when trying to connect|Unable to acquire a connection/.test(
      error.message,
    )
  );
}

/** Whether a statement reached its time limit, on the server or, if that does not enforce it, in pg's client. */
export function isStatementTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === queryCancelled) || /Query read timeout/.test(error.message);
}

/** PostgreSQL's code for a full disk. */
const diskFull = '53100';

/**
 * The result of a write, or null if the database's disk is full. For optional writes during a read, which continues
 * without them.
 */
export async function unlessDiskFull<T>(write: PromiseLike<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === diskFull) return null;
    throw error;
  }
}

/**
 * Whether an error is PostgreSQL's response to a statement: it has a SQLSTATE, which never starts like one of Node's
 * codes.
 */
export function isStatementError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?!E)[0-9A-Z]{5}$/.test(String(error.code));
}

/** Whether a statement failed because the database lacks one of the service's tables. */
export function isSchemaMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === undefinedTable;
}

/** PostgreSQL's code for a missing table. */
const undefinedTable = '42P01';

/** Maps an error for a log: DATABASE_UNAVAILABLE if the database has no schema, else the error itself. */
export function explainMissingSchema(error: unknown): unknown {
  if (!isSchemaMissing(error)) return error;
  const message = 'The database lacks tables of the service: run "kw migrate".';
  return new ServiceError('DATABASE_UNAVAILABLE', message, {}, { cause: error });
}

/**
 * Maps an error for the caller: DATABASE_UNAVAILABLE if the database is unreachable, too slow or has no schema, else
 * the error itself.
 */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (!isDatabaseUnavailable(error)) return explainMissingSchema(error);
  const message = isStatementTimeout(error)
    ? 'The database did not finish the statement within its time limit. If the request has a filter, narrow it.'
    : 'The database cannot be reached.';
  return new ServiceError('DATABASE_UNAVAILABLE', message, {}, { cause: error });
}

/** The name of the constraint that a statement violated, or null. */
export function brokenConstraint(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('23') && typeof error.constraint === 'string'
    ? error.constraint
    : null;
}

/** How many connections of the pool are in use and idle, and how many callers wait for one. */
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

/** The current time by the database's clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
  return rows[0].now;
}

/** Resolves when the database answers. */
export async function checkDatabase(db: Db): Promise<void> {
  await db.raw('select 1').timeout(2_000);
}
