import { S3Client } from '@aws-sdk/client-s3';
import { startS3 } from '../../test/support/s3.js';

/** An S3 server with a bucket, the settings by which the service uses it, and the AWS SDK's client of it. */
export interface BenchS3 {
  readonly env: Readonly<Record<string, string>>;
  readonly client: S3Client;
  readonly bucket: string;
  stop(): Promise<void>;
}

export async function startBenchS3(): Promise<BenchS3> {
  const server = await startS3();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = server;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // As the service has it: checksums in trailers are refused by many S3-compatible servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    env: {
      KW_S3_ENDPOINT: endpoint,
      KW_S3_REGION: region,
      KW_S3_BUCKET: bucket,
      KW_S3_ACCESS_KEY_ID: accessKeyId,
      KW_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    client,
    bucket,
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}
