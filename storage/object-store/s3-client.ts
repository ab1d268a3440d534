import { S3Client } from '@aws-sdk/client-s3';

/** How an S3 bucket is reached. */
export interface S3Settings {
  /** The URL of an S3-compatible server; left out for Amazon's own. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Left out together with the secret, credentials are found the way the AWS SDK finds them. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** Whether the bucket stands in the path of a URL instead of its host; true when there is an endpoint and nothing is said. */
  readonly forcePathStyle?: boolean | undefined;
}

/** A client for an S3 server, with bounded time-outs and three attempts at each request. */
export function createS3Client(settings: S3Settings): S3Client {
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
      // Until an answer begins: completing an upload of many parts takes some servers long.
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
      // Silence of a connection, also of one whose answer is being read.
      socketTimeout: 120_000,
    },
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  });
}
