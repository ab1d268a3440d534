import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Db } from '../../storage/database/connection.js';
import { readBacklog } from '../../storage/search/changes.js';
import { failingSince, listLiveIndexes } from '../../storage/search/indexes.js';

/** Receives the outcomes of searches. */
export interface SearchObserver {
  /** Counts a search that ended. */
  searched(labels: { readonly mode: string; readonly outcome: 'ok' | 'error' }, seconds: number): void;
  /** Counts a reranker failure. */
  rerankFailed(): void;
}

/** Metrics of searches and of the index. No label contains search text. */
export interface SearchMetrics {
  readonly observed: SearchObserver;
  /** Reads the state of the index from the database. */
  read(): Promise<void>;
  /** Clears that state, because it cannot be read. */
  reset(): void;
}

export function createSearchMetrics(db: Db, registry: Registry): SearchMetrics {
  const registers = [registry];
  const searches = new Histogram({
    name: 'kw_search_duration_seconds',
    help: 'Time of a search in this process, including its wait, by mode.',
    labelNames: ['mode', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const failures = new Counter({
    name: 'kw_search_rerank_failures_total',
    help: 'Searches whose hits the reranker did not order.',
    registers,
  });
  const held = new Gauge({
    name: 'kw_search_indexed',
    help: 'The contents of the active search index: resources, chunks, and resources that cannot be indexed (failed).',
    labelNames: ['what'],
    registers,
  });
  const pending = new Gauge({
    name: 'kw_search_pending_changes',
    help: 'Changes that are not in the search index yet.',
    registers,
  });
  const oldest = new Gauge({
    name: 'kw_search_oldest_pending_seconds',
    help: 'Age of the oldest change that is not in the search index yet.',
    registers,
  });
  const rebuilding = new Gauge({
    name: 'kw_search_rebuilding',
    help: 'Whether a new search index is being built.',
    registers,
  });
  const failing = new Gauge({
    name: 'kw_search_upkeep_failing',
    help: 'Whether upkeep of the search index, or building a new one, fails. Without upkeep, searches become slower.',
    registers,
  });
  return {
    observed: {
      searched: (labels, seconds) => searches.observe(labels, seconds),
      rerankFailed: () => failures.inc(),
    },
    async read() {
      const [indexes, backlog] = [await listLiveIndexes(db), await readBacklog(db)];
      const current = indexes.find(({ state }) => state === 'CURRENT');
      for (const what of ['resources', 'chunks', 'failed'] as const) held.set({ what }, current?.[what] ?? 0);
      pending.set(backlog.pending);
      oldest.set(backlog.oldestSeconds);
      failing.set(failingSince(indexes) === null ? 0 : 1);
      rebuilding.set(indexes.some(({ state }) => state === 'BUILDING') ? 1 : 0);
    },
    reset() {
      held.reset();
      for (const gauge of [pending, oldest, rebuilding, failing]) gauge.remove();
    },
  };
}
