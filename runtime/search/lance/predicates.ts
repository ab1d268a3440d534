import type { ChunkKey, ChunkSpan } from '../engine.js';
import { groupBy } from '../group-by.js';

/** A text in LanceDB's SQL. */
const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Rows of these resources. */
export function ofResources(ids: readonly string[]): string {
  return ids.length === 0 ? 'false' : `resource_id IN (${ids.map(quoted).join(', ')})`;
}

/** Rows of one run of each resource. */
export function ofRuns(runs: readonly Omit<ChunkKey, 'index'>[]): string {
  const byRun = groupBy(runs, ({ run }) => run);
  const parts = [...byRun].map(
    ([run, those]) => `(run = ${run} AND ${ofResources(those.map((one) => one.resource_id))})`,
  );
  return parts.length === 0 ? 'false' : parts.join(' OR ');
}

/** Rows of any other run of each resource. */
export function ofOtherRuns(
  kept: readonly { readonly resource_id: string; readonly run: number | null }[],
): string {
  const byRun = groupBy(kept, ({ run }) => run);
  const parts = [...byRun].map(([run, those]) => {
    const resources = ofResources(those.map((one) => one.resource_id));
    return run === null ? `(${resources})` : `(run <> ${run} AND ${resources})`;
  });
  return parts.length === 0 ? 'false' : parts.join(' OR ');
}

/** Rows at these places. */
export function ofSpans(spans: readonly ChunkSpan[]): string {
  const byResource = groupBy(spans, ({ resource_id, run }) => `${resource_id} ${run}`);
  const parts = [...byResource.values()].map((those) => {
    const [one] = those;
    const places = those.map(({ first, last }) => `(chunk >= ${first} AND chunk <= ${last})`);
    return `(resource_id = ${quoted(one?.resource_id ?? '')} AND run = ${one?.run ?? 0} AND (${places.join(' OR ')}))`;
  });
  return parts.length === 0 ? 'false' : parts.join(' OR ');
}
