import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import { messageOf, ServiceError } from '../../core/errors.js';
import { asDatabaseError, isDatabaseUnavailable, isStatementTimeout } from './connection.js';

/** Node's codes for a certificate that is untrusted or issued for another host. */
const certificateCodes = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|ERR_SSL)/;

/** Errors that wrong settings cause; retrying does not help. */
const refusalCodes = /^(3D000|28P01|28000|ENOENT)$/;

/** PgBouncer's refusal of a time limit that `connectDatabase` sets. */
const unsupportedParameter = /unsupported startup parameter/;

/**
 * Explains in one sentence why the database rejects DATABASE_URL; null if it is unreachable or the error has another
 * cause.
 */
export function explainDatabaseRefusal(error: unknown, url: string): string | null {
  const { code = '' } = error as { readonly code?: string };
  const isRefusal =
    refusalCodes.test(code) ||
    certificateCodes.test(code) ||
    unsupportedParameter.test(messageOf(error)) ||
    /does not support SSL/.test(messageOf(error));
  return isRefusal ? reasonOf(error, url) : null;
}

/**
 * Rewrites a database error for the operator: a ServiceError with one sentence about what to change if that is known,
 * else the error itself.
 */
export function explainDatabaseError(error: unknown, url: string): unknown {
  const reason = reasonOf(error, url);
  return reason === null
    ? asDatabaseError(error)
    : new ServiceError('DATABASE_UNAVAILABLE', reason, {}, { cause: error });
}

function reasonOf(error: unknown, url: string): string | null {
  const parsed = parseUrl(url);
  const name = decodeURIComponent(parsed?.pathname.slice(1) ?? '');
  const address = `${parsed?.hostname ?? '?'}:${parsed?.port || '5432'}`;
  const server = `PostgreSQL at ${address}`;
  const message = messageOf(error).replace(/\.$/, '');
  const { code = '', path } = error as { readonly code?: string; readonly path?: string };
  switch (code) {
    case '3D000':
      return `${server} has no database "${name}": create it, or correct DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `${server} refuses the log-in of DATABASE_URL: ${message}.`;
    case '42501':
      return `The role of DATABASE_URL lacks a permission in the database "${name}": ${message}.`;
    case 'ENOENT':
      return path === undefined ? null : `DATABASE_URL names the file ${path}, which does not exist.`;
  }
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code)) {
    return `The certificate of ${server} is for another host (${message}): correct the host in DATABASE_URL, or give the server a certificate for it.`;
  }
  if (certificateCodes.test(code)) {
    return `The certificate of ${server} is not trusted (${message}): add ?sslmode=verify-full&sslrootcert=PATH to DATABASE_URL, where PATH is the certificate file of the authority that signed it.`;
  }
  if (/does not support SSL/.test(message)) {
    return `${server} does not support TLS: enable it there, or remove sslmode from DATABASE_URL.`;
  }
  if (unsupportedParameter.test(message)) {
    return `The pooler at ${address} refuses the time limits of connections (${message}): set ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout in PgBouncer, and set both for the role of DATABASE_URL.`;
  }
  if (isStatementTimeout(error)) {
    return `${server} did not finish a statement within its time limit: ${message}.`;
  }
  if (isDatabaseUnavailable(error) && !(error instanceof ServiceError)) {
    return `${server} cannot be reached: ${message}.`;
  }
  return null;
}
