import { readFileSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';

// On Node 20, which this SDK version supports, the SDK prints a warning to standard error.
// oxlint-disable-next-line no-restricted-properties -- a variable of the SDK, which is set here, not read
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

/** Connection settings of an S3 bucket. */
export interface S3Settings {
  /** The URL of an S3-compatible server; omitted for Amazon S3. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** If this and the secret are omitted, the AWS SDK looks up the credentials. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** Whether the bucket is in the URL's path instead of its host; true by default if there is an endpoint. */
  readonly forcePathStyle?: boolean | undefined;
  /** Seconds of silence after which a request is abandoned; 10 by default. */
  readonly timeoutSeconds?: number | undefined;
  /** A file of CA certificates to trust for the server; Node's own by default. */
  readonly caFile?: string | undefined;
}

/** Time limit for completing a multipart upload, and for a response that waits for its reader, in milliseconds. */
export const patienceMs = 120_000;

/**
 * The maximum number of connections of one client; further requests wait. Each reader of content holds one until it is
 * done, so the limit leaves room for many slow readers.
 */
const mostSockets = 500;

/**
 * Creates a client for an S3 server, with timeouts and three attempts per request.
 *
 * @param silenceMs A connection without traffic in either direction for this long is abandoned.
 */
export function createS3Client(settings: S3Settings, silenceMs = 10_000): S3Client {
  const { accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle ?? settings.endpoint !== undefined,
    // By default the SDK sends checksums in trailers, which many S3-compatible servers reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      // Until the response starts.
      requestTimeout: patienceMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
      httpAgent: { maxSockets: mostSockets },
      httpsAgent: {
        maxSockets: mostSockets,
        ...(settings.caFile !== undefined && { ca: readFileSync(settings.caFile) }),
      },
    },
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  });
}
