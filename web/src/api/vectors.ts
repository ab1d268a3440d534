import { useEffect, useState } from 'react';
import type { Artifact } from '@knowledge-warehouse/client';
import { openContent } from './contents.js';

/** The vectors loaded so far. */
export interface LoadedVectors {
  readonly rows: readonly Float32Array[];
  /** The length of `rows`, which is the same growing array. */
  readonly count: number;
  /** The share of bytes loaded, from 0 to 1. */
  readonly fraction: number;
  readonly isComplete: boolean;
  readonly error: Error | null;
}

const nothing: LoadedVectors = { rows: [], count: 0, fraction: 0, isComplete: false, error: null };

/** Milliseconds of parsing before the page may render again. */
const turnMs = 8;
const tellEveryMs = 120;

/**
 * Loads an artifact's vectors row by row, so that the page shows the first ones at once and never freezes:
 * twenty thousand vectors are a hundred megabytes of JSON.
 */
export function useVectors(
  resourceId: string,
  artifact: Artifact,
  isWanted: boolean,
  tries = 0,
): LoadedVectors {
  const { id, updated_at, size_bytes } = artifact;
  const [loaded, setLoaded] = useState<LoadedVectors & { readonly key: string }>({ ...nothing, key: '' });
  const key = `${resourceId} ${id} ${updated_at} ${tries}`;
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    const rows: Float32Array[] = [];
    const tell = (about: Partial<LoadedVectors>): void =>
      setLoaded({ ...nothing, rows, count: rows.length, key, ...about });
    readVectors(resourceId, id, rows, controller.signal, (bytes) =>
      tell({ fraction: Math.min(1, bytes / Math.max(1, size_bytes)) }),
    ).then(
      () => tell({ fraction: 1, isComplete: true }),
      (error: unknown) => controller.signal.aborted || tell({ error: error as Error }),
    );
    return () => controller.abort();
  }, [resourceId, id, size_bytes, isWanted, key]);
  // Ignore what was loaded for another artifact.
  return loaded.key === key ? loaded : nothing;
}

async function readVectors(
  resourceId: string,
  artifactId: string,
  rows: Float32Array[],
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const { body } = await openContent(resourceId, artifactId, signal);
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let bytes = 0;
  let turnEnds = performance.now() + turnMs;
  let toldAt = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.length;
    rest = takeRows(rest + decoder.decode(value, { stream: true }), rows);
    const now = performance.now();
    if (now - toldAt > tellEveryMs) {
      toldAt = now;
      onProgress(bytes);
    }
    if (now < turnEnds) continue;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    turnEnds = performance.now() + turnMs;
  }
}

/** Moves each complete array of numbers from the text to the rows. Returns the rest of the text. */
export function takeRows(text: string, rows: Float32Array[]): string {
  let from = 0;
  for (let end = text.indexOf(']'); end !== -1; end = text.indexOf(']', from)) {
    const start = text.lastIndexOf('[', end);
    // The bracket that closes the outer list has no opening bracket left to match.
    const numbers = start < from ? '' : text.slice(start + 1, end);
    if (numbers.trim() !== '') rows.push(Float32Array.from(numbers.split(','), Number));
    from = end + 1;
  }
  return text.slice(from);
}
