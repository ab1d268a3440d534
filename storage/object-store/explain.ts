import { messageOf } from '../../core/errors.js';
import type { S3Settings } from './s3/client.js';

/** The part of an AWS SDK error that describes the server's response. */
interface Answered {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Explains in one sentence why a bucket cannot be used with these settings; null if it is unreachable or the error has
 * another cause.
 */
export function explainBucketRefusal(error: unknown, settings: S3Settings): string | null {
  const { endpoint, bucket, region } = settings;
  const server = endpoint === undefined ? 'S3' : `S3 at ${endpoint}`;
  const reason = innermost(error);
  switch ((reason as Answered).$metadata?.httpStatusCode) {
    case 401:
    case 403:
      return `${server} refuses the key for the bucket "${bucket}": correct KW_S3_ACCESS_KEY_ID and KW_S3_SECRET_ACCESS_KEY, or give the key access to the bucket.`;
    case 404:
      return `${server} has no bucket "${bucket}": create it, or correct KW_S3_BUCKET.`;
    case 301:
    case 400:
      return `${server} does not serve the bucket "${bucket}" in the region "${region}": correct KW_S3_REGION or KW_S3_ENDPOINT.`;
  }
  const message = messageOf(reason).replace(/\.$/, '');
  return /certificate|altname|self[- ]signed|CERT_/i.test(message)
    ? `The certificate of ${server} is not trusted (${message}): set KW_S3_CA_CERT_PATH to the certificate file of the authority that signed it.`
    : null;
}

/** The store's own reason for an error, which is not sent to clients. */
export function innermost(error: unknown): unknown {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason;
}
