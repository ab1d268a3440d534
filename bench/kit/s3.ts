import type { S3Client } from '@aws-sdk/client-s3';
import { createS3Client } from '../../storage/object-store/s3/client.js';
import { s3Settings, startS3 } from '../../test/support/servers/s3.js';

/** An S3 server with a bucket, the service's settings for it, and a client of the AWS SDK. */
export interface BenchS3 {
  readonly env: Readonly<Record<string, string>>;
  readonly client: S3Client;
  readonly bucket: string;
  stop(): Promise<void>;
}

export async function startBenchS3(): Promise<BenchS3> {
  // Keeps connections open like S3, which is not this server's default.
  const server = await startS3({ VGW_KEEP_ALIVE: 'true' });
  const client = createS3Client(server);
  return {
    env: s3Settings(server),
    client,
    bucket: server.bucket,
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}
