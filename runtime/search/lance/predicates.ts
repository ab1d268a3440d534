import type { ChunkSpan } from '../engine.js';
import { groupBy } from '../../../core/group-by.js';

/** A string literal in LanceDB's SQL. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export function ofResources(ids: readonly string[]): string {
  return ids.length === 0 ? 'false' : `resource_id IN (${ids.map(quoted).join(', ')})`;
}

/** Rows written before the given write of each resource; null means all of its rows. */
export function ofOlder(
  resources: readonly { readonly resource_id: string; readonly write: number | null }[],
): string {
  const byWrite = groupBy(resources, ({ write }) => write);
  const parts = [...byWrite].map(([write, those]) => {
    const ids = ofResources(those.map((one) => one.resource_id));
    return write === null ? `(${ids})` : `(write < ${write} AND ${ids})`;
  });
  return parts.length === 0 ? 'false' : parts.join(' OR ');
}

export function ofWrite(write: number, ids: readonly string[]): string {
  return `write = ${write} AND ${ofResources(ids)}`;
}

export function ofSpans(spans: readonly ChunkSpan[]): string {
  const byResource = groupBy(spans, ({ resource_id, run }) => `${resource_id} ${run}`);
  const parts = [...byResource.values()].map((those) => {
    const [one] = those;
    const places = those.map(({ first, last }) => `(chunk >= ${first} AND chunk <= ${last})`);
    return `(resource_id = ${quoted(one?.resource_id ?? '')} AND run = ${one?.run ?? 0} AND (${places.join(' OR ')}))`;
  });
  return parts.length === 0 ? 'false' : parts.join(' OR ');
}
