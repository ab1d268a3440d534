import { readFileSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';

// The SDK writes a warning to standard error on Node 20, which this version of the SDK supports.
// oxlint-disable-next-line no-restricted-properties -- it is the SDK's, and set, not read
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

/** How an S3 bucket is reached. */
export interface S3Settings {
  /** The URL of an S3-compatible server; left out for Amazon's own. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Left out together with the secret, credentials are found the way the AWS SDK finds them. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** Whether the bucket is in the URL's path instead of its host; default true if there is an endpoint. */
  readonly forcePathStyle?: boolean | undefined;
  /** Seconds of silence after which a request is given up; 10 when nothing is said. */
  readonly timeoutSeconds?: number | undefined;
  /** A file with the certificates of the authorities that may have signed the server's; Node's own when nothing is said. */
  readonly caFile?: string | undefined;
}

/** Milliseconds that putting an upload together may take, and that an answer may wait for its reader. */
export const patienceMs = 120_000;

/**
 * The maximum number of connections of one client; further requests wait. Each reader of content holds one
 * until it is done, so there are more than many slow readers need.
 */
const mostSockets = 500;

/**
 * A client for an S3 server, with bounded time-outs and three attempts at each request.
 *
 * @param silenceMs After which a connection is given up on which nothing moves, in either direction.
 */
export function createS3Client(settings: S3Settings, silenceMs = 10_000): S3Client {
  const { accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle ?? settings.endpoint !== undefined,
    // Checksums in trailers, which the SDK would send by default, are refused by many S3-compatible servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      // Until an answer begins.
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
