import { mkdir } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type * as LanceDb from '@lancedb/lancedb';
import { messageOf, ServiceError } from '../../../core/errors.js';
import type { Config } from '../../settings/config.js';
import { temporaryFolderProblem } from '../../temporary-folder.js';
import { loadLance } from './load.js';

export interface LanceLocation {
  /** A path or `s3://…` URI in LanceDB's format. */
  readonly uri: string;
  readonly isFolder: boolean;
  readonly storageOptions: Readonly<Record<string, string>>;
}

/** The location that KW_SEARCH_URI specifies; the folder `search` of the data directory if it has no address. */
export function lanceLocation({
  searchUri,
  dataDir,
  s3,
}: Pick<Config, 'searchUri' | 'dataDir' | 's3'>): LanceLocation {
  const address = searchUri.replace(/^lancedb:/, '');
  if (!address.startsWith('s3://'))
    return { uri: address === '' ? join(dataDir, 'search') : address, isFolder: true, storageOptions: {} };
  return {
    uri: address.replace(/\/+$/, ''),
    isFolder: false,
    storageOptions: {
      ...(s3 !== null && {
        region: s3.region,
        virtual_hosted_style_request: String(!s3.forcePathStyle),
        timeout: `${s3.timeoutSeconds}s`,
        ...(s3.endpoint !== undefined && {
          endpoint: s3.endpoint,
          allow_http: String(s3.endpoint.startsWith('http:')),
        }),
        ...(s3.accessKeyId !== undefined && {
          aws_access_key_id: s3.accessKeyId,
          aws_secret_access_key: s3.secretAccessKey ?? '',
        }),
      }),
    },
  };
}

/**
 * Connects to a location; for writing, creates the folder. Throws SEARCH_UNAVAILABLE if LanceDB, which ignores
 * KW_S3_CA_CERT_PATH, does not trust the server.
 */
export async function connectTo(location: LanceLocation, use: 'read' | 'write'): Promise<LanceDb.Connection> {
  const lancedb = await loadLance();
  if (location.isFolder && use === 'write') await mkdir(location.uri, { recursive: true, mode: 0o700 });
  // LanceDB's session needs one, and would abort the process.
  const problem = temporaryFolderProblem();
  if (problem !== null) throw new Error(problem);
  const { index, metadata } = cacheBytes(use);
  const session = new lancedb.Session(BigInt(index), BigInt(metadata));
  try {
    return await lancedb.connect(location.uri, { storageOptions: { ...location.storageOptions }, session });
  } catch (cause) {
    if (!messageOf(cause).includes('UnknownIssuer')) throw cause;
    const message =
      "The certificate of the search index's S3 server is not trusted: set SSL_CERT_FILE to a file with the system's certificate authorities and your own.";
    throw new ServiceError('SEARCH_UNAVAILABLE', message, {}, { cause });
  }
}

const mebibyte = 2 ** 20;

/**
 * How many bytes a connection caches. Each merge creates a new index, and the old one stays cached until the cache is
 * full: with LanceDB's default limits (6 and 1 GiB), a worker that writes would grow to gigabytes. Writing needs almost
 * no cache; reading is fast when the whole index fits.
 */
function cacheBytes(use: 'read' | 'write'): { readonly index: number; readonly metadata: number } {
  if (use === 'write') return { index: 16 * mebibyte, metadata: 16 * mebibyte };
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const index = Math.min(6 * 1024 * mebibyte, Math.max(64 * mebibyte, Math.floor(memory / 8)));
  return { index, metadata: Math.floor(index / 4) };
}

export const chunksTable = (id: number): string => `chunks_${id}`;
export const vectorsTable = (id: number, dimensions: number): string => `vectors_${id}_${dimensions}`;

/** Whether an error of LanceDB means that a table or one of its files does not exist. */
export function isMissing(error: unknown): boolean {
  // A refusal may contain these words: S3 says of an unknown key that it "does not exist in our records".
  return !isRefusal(error) && !isStorageFailure(error) && saysMissing(error);
}

/** Returns a function that looks for a pattern in the message of an error: LanceDB's errors have no codes. */
const says =
  (pattern: RegExp): ((error: unknown) => boolean) =>
  (error) =>
    pattern.test(messageOf(error));
const saysMissing = says(/was not found|does not exist|no such file|not found/i);
/** Whether the S3 server refuses the key. */
export const isRefusal = says(/status(?: code)?: 40[13]\b/);
/** Whether the S3 server answered something that says nothing about the index, such as 500. */
export const isStorageFailure = says(/inner: (Status \{ status: (?!404)\d|BareRedirect)|NoSuchBucket/);
/** Whether a request to the S3 server got no response. */
export const isSilence = says(/error sending request|HttpError \{/);
/** Whether a query took longer than its `timeoutMs`. */
export const isTimeout = says(/Query timeout/);
/** Whether another writer was faster. */
export const isConflict = says(/commit conflict|concurrent|retryable/i);
