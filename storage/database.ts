import { Socket } from 'node:net';
import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import { ServiceError } from '../core/errors.js';

/** A connection pool, or a transaction on one of its connections: what every repository takes first. */
export type Db = Knex;

// bigint columns hold sizes and counts, all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const silent = (): void => undefined;

const statementTimeoutMs = 30_000;

/** A socket that is given up when the server says nothing for longer than any statement may take. */
function createSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(statementTimeoutMs + 5_000, () => {
    socket.destroy(Object.assign(new Error('The database fell silent.'), { code: 'ETIMEDOUT' }));
  });
  return socket;
}

/**
 * Opens a pool on a PostgreSQL database; connections are made when they are first needed.
 *
 * @param url `postgres://…`
 * @param options `poolSize`: connections at most.
 */
export function connectDatabase(url: string, options: { readonly poolSize: number }): Db {
  return knexModule.default({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'knowledge-warehouse',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      stream: createSocket,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
    },
    pool: { min: 0, max: options.poolSize },
    acquireConnectionTimeout: 5_000,
    // What fails is thrown and logged by those who asked; knex would write it to the console as well.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
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
    connectionCodes.has(code) ||
    stateClasses.test(code) ||
    error.name === 'KnexTimeoutError' ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect|Unable to acquire a connection/.test(
      error.message,
    )
  );
}

/** An error as the caller should see it: DATABASE_UNAVAILABLE where the database is away, else the error itself. */
export function asDatabaseError(error: unknown): unknown {
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

/** Resolves when the database answers. */
export async function checkDatabase(db: Db): Promise<void> {
  await db.raw('select 1').timeout(2_000);
}
