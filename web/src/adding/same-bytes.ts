import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import pLimit from 'p-limit';
import type { ListedResource } from '@knowledge-warehouse/client';
import { api } from '../api/client.js';
import { newId } from '../api/new-id.js';

/** Larger files are not hashed, because the browser reads the whole file into memory for that. */
const largestBytes = 64 * 1024 * 1024;

/** Hashes one file at a time, so that a dropped folder does not fill the memory. */
const inTurn = pLimit(1);

const keys = new WeakMap<File, string>();

function keyOf(file: File): string {
  const key = keys.get(file) ?? newId();
  keys.set(file, key);
  return key;
}

/** Returns undefined in insecure contexts: without https, and not on localhost. */
const subtle = (): SubtleCrypto | undefined =>
  (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;

type Known = Pick<ListedResource, 'id' | 'name'>;

/** Returns the newest resource with the same bytes as a file; null if there is none or it is unknown. */
export function useSameBytes(file: File): UseQueryResult<Known | null> {
  return useQuery({
    queryKey: ['same-bytes', keyOf(file)],
    queryFn: ({ signal }) => inTurn(() => findSameBytes(file, signal)),
    enabled: subtle() !== undefined && file.size > 0 && file.size <= largestBytes,
    // This is only a hint, so errors are ignored.
    retry: false,
    staleTime: Infinity,
  });
}

async function findSameBytes(file: File, signal: AbortSignal): Promise<Known | null> {
  const hasher = subtle();
  if (hasher === undefined) return null;
  signal.throwIfAborted();
  const hash = new Uint8Array(await hasher.digest('SHA-256', await file.arrayBuffer()));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  signal.throwIfAborted();
  const { value } = await api.GET('/resources', {
    params: { query: { sha256: [sha256], limit: 1 } },
    signal,
  });
  return value.items[0] ?? null;
}
