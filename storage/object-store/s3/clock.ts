import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client, type S3Settings } from './client.js';

/** The server's time from the Date header of any response, even an error; null if it has none. */
export async function readS3Clock(settings: S3Settings): Promise<Date | null> {
  const client = createS3Client(settings);
  const noted: { time: Date | null } = { time: null };
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      if (headers?.['date'] !== undefined) noted.time = new Date(headers['date']);
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'noteDate' },
  );
  try {
    await client.send(new HeadBucketCommand({ Bucket: settings.bucket }));
  } catch (error) {
    if (noted.time === null) throw error;
  } finally {
    client.destroy();
  }
  return noted.time;
}
