import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { api } from '../api/client.js';
import { newId } from '../api/new-id.js';

/** Larger files are not hashed: the browser reads a file into memory as a whole for it. */
const largestBytes = 64 * 1024 * 1024;

/** One after the other, so that a dropped folder does not fill the memory. */
const inTurn = pLimit(1);

const keys = new WeakMap<File, string>();

function keyOf(file: File): string {
  const key = keys.get(file) ?? newId();
  keys.set(file, key);
  return key;
}

/** Undefined where a page may not use it: without https, and not on this machine. */
const subtle = (): SubtleCrypto | undefined =>
  (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;

interface Known {
  readonly id: string;
  readonly name: string;
}

/** The newest resource that has the same bytes as a file; null: there is none, or it cannot be told. */
export function useSameBytes(file: File): UseQueryResult<Known | null> {
  return useQuery({
    queryKey: ['same-bytes', keyOf(file)],
    queryFn: ({ signal }) => inTurn(() => findSameBytes(file, signal)),
    enabled: subtle() !== undefined && file.size > 0 && file.size <= largestBytes,
    // Only a hint: what fails here is not worth a message.
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
