import { explainMissingBucket } from './explain.js';
import { createObjectStore, type S3Settings } from './index.js';

/**
 * Explains in one sentence that the bucket of the search index does not exist; null if it does, if the index is in a
 * folder, or if the server does not say. Other refusals do not count: the key may be limited to the index's prefix.
 *
 * @param searchUri `lancedb:`, followed by a path, `s3://…` or nothing
 */
export async function explainSearchRefusal(searchUri: string, s3: S3Settings | null): Promise<string | null> {
  const bucket = /^lancedb:s3:\/\/([^/]+)/.exec(searchUri)?.[1];
  if (bucket === undefined || s3 === null || bucket === s3.bucket) return null;
  const settings = { ...s3, bucket };
  const store = createObjectStore({ s3: settings, directory: '' });
  try {
    await store.check();
    return null;
  } catch (error) {
    return explainMissingBucket(error, settings, 'KW_SEARCH_URI');
  } finally {
    store.close();
  }
}
