import { messageOf } from '../../core/errors.js';
import { statusOf } from './errors.js';
import type { S3Settings } from './s3/client.js';

/** Most of S3's rules for bucket names. The response to HeadBucket has no code for an invalid name. */
const allowedName = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;

/**
 * Explains in one sentence why a bucket cannot be used with these settings; null if it is unreachable or the error has
 * another cause.
 */
export function explainBucketRefusal(error: unknown, settings: S3Settings): string | null {
  const { bucket, region } = settings;
  const server = serverOf(settings);
  const reason = innermost(error);
  const status = statusOf(reason);
  switch (status) {
    case 401:
    case 403:
      return `${server} refuses the key for the bucket "${bucket}": correct KW_S3_ACCESS_KEY_ID and KW_S3_SECRET_ACCESS_KEY, or give the key access to the bucket.`;
    case 404:
      return explainMissingBucket(error, settings, 'KW_S3_BUCKET');
    case 301:
    case 400:
      if (status === 400 && !allowedName.test(bucket))
        return `${server} does not allow the bucket name "${bucket}" (3 to 63 lower-case letters, digits, dots and hyphens): correct KW_S3_BUCKET.`;
      return `${server} does not serve the bucket "${bucket}" in the region "${region}": correct KW_S3_REGION or KW_S3_ENDPOINT.`;
  }
  const message = messageOf(reason).replace(/\.$/, '');
  return /certificate|altname|self[- ]signed|CERT_/i.test(message)
    ? `The certificate of ${server} is not trusted (${message}): set KW_S3_CA_CERT_PATH to the certificate file of the authority that signed it.`
    : null;
}

/** Explains in one sentence that a bucket, which this setting names, does not exist; null for another error. */
export function explainMissingBucket(error: unknown, settings: S3Settings, setting: string): string | null {
  return statusOf(innermost(error)) === 404
    ? `${serverOf(settings)} has no bucket "${settings.bucket}": create it, or correct ${setting}.`
    : null;
}

function serverOf({ endpoint }: S3Settings): string {
  return endpoint === undefined ? 'S3' : `S3 at ${endpoint}`;
}

/** The store's own reason for an error, which is not sent to clients. */
export function innermost(error: unknown): unknown {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason;
}
