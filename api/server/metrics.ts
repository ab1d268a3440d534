import pLimit from 'p-limit';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeLimit } from '../../core/time-limit.js';
import type { Deps } from '../../runtime/deps.js';
import { countCleanUps } from '../../storage/clean-ups.js';
import { outboxBacklog } from '../../storage/outbox.js';
import { countResources } from '../../storage/resources/resources.js';
import { countUnfinishedSteps } from '../../storage/runs/runs.js';
import { createSearchMetrics, type SearchObserver } from './search-metrics.js';
import { readRepairs } from '../../storage/sweeps/repairs.js';

/** The Prometheus metrics of a process. */
export interface Metrics extends SearchObserver {
  observeRequest(
    labels: { readonly method: string; readonly route: string; readonly status: number },
    seconds: number,
  ): void;
  /** Sets the number of open event streams. */
  streamsOpen(count: number): void;
  /** Counts an event sent on a stream. */
  eventSent(): void;
  /** Returns the text exposition format and its media type. */
  render(): Promise<{ readonly text: string; readonly mediaType: string }>;
}

const countEveryMs = 30_000;
/** Prometheus ends a scrape after ten seconds by default. */
const defaultPatienceMs = 5_000;
/** More would take the connections of requests if the database is slow. */
const readAtOnce = 2;

/** Metrics that are read from the database together. */
interface MetricGroup {
  read(): Promise<void>;
  /** Clears them, because they cannot be read. */
  reset(): void;
}

/**
 * Creates the metrics of a process, of its requests by route, and of the shared outbox.
 *
 * @param patienceMs How long a scrape waits for the database, in milliseconds. Metrics that are read later keep the
 *   values of their last read.
 */
export function createMetrics(
  { db, log, measured }: Pick<Deps, 'db' | 'log' | 'measured'>,
  patienceMs = defaultPatienceMs,
): Metrics {
  const registry = new Registry();
  const requests = new Histogram({
    name: 'kw_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'kw_outbox_messages',
    help: 'Messages to Temporal that are not sent yet.',
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'kw_outbox_oldest_seconds',
    help: 'Age of the oldest message to Temporal that is not sent yet.',
    registers: [registry],
  });

  const cleanUps = new Gauge({
    name: 'kw_pending_clean_ups',
    help: 'Data that plugins still have to remove elsewhere.',
    labelNames: ['plugin'],
    registers: [registry],
  });

  const repairs = new Counter({
    name: 'kw_reconciled_total',
    help: 'Inconsistencies between PostgreSQL, Temporal and the object store that sweeps repaired. Stored in the database, so every process shows the same values.',
    labelNames: ['kind'],
    registers: [registry],
  });

  const resources = new Gauge({
    name: 'kw_resources',
    help: 'Resources by status, from the database; counted at most every 30 seconds.',
    labelNames: ['status'],
    registers: [registry],
  });
  const steps = new Gauge({
    name: 'kw_unfinished_steps',
    help: 'Unfinished steps of active runs, by plugin and status; counted at most every 30 seconds.',
    labelNames: ['plugin', 'status'],
    registers: [registry],
  });
  let countedAt = -Infinity;
  /** Counts rows of large tables: too expensive for every scrape of every replica, also if it fails. */
  const count = async (): Promise<void> => {
    if (performance.now() - countedAt < countEveryMs) return;
    countedAt = performance.now();
    const [byStatus, byPlugin] = [await countResources(db), await countUnfinishedSteps(db)];
    for (const [status, number] of Object.entries(byStatus)) resources.set({ status }, number);
    steps.reset();
    for (const { plugin_id: plugin, status, count: number } of byPlugin)
      steps.set({ plugin, status }, number);
  };
  const streams = new Gauge({
    name: 'kw_event_streams',
    help: 'Open streams of live changes.',
    registers: [registry],
  });
  const sent = new Counter({
    name: 'kw_events_sent_total',
    help: 'Changes sent on streams.',
    registers: [registry],
  });

  const search = createSearchMetrics(db, registry);

  const groups: readonly MetricGroup[] = [
    {
      async read() {
        const backlog = await outboxBacklog(db);
        waiting.set(backlog.count);
        oldest.set(backlog.oldest_seconds);
      },
      reset() {
        waiting.remove();
        oldest.remove();
      },
    },
    {
      async read() {
        const byPlugin = await countCleanUps(db);
        cleanUps.reset();
        for (const { plugin_id: plugin, count: number } of byPlugin) cleanUps.set({ plugin }, number);
      },
      reset: () => cleanUps.reset(),
    },
    {
      read: count,
      reset() {
        resources.reset();
        steps.reset();
      },
    },
    search,
    {
      async read() {
        const counts = Object.entries(await readRepairs(db));
        repairs.reset();
        for (const [kind, number] of counts) repairs.inc({ kind }, number);
      },
      reset: () => repairs.reset(),
    },
  ];

  const limit = pLimit(readAtOnce);
  const reading = new Map<MetricGroup, Promise<void>>();
  /** Reads a group, or waits for its read that an earlier scrape began. */
  const read = (group: MetricGroup): Promise<void> => {
    const begun =
      reading.get(group) ??
      limit(async () => {
        try {
          await group.read();
        } catch (error) {
          group.reset();
          throw error;
        } finally {
          reading.delete(group);
        }
      });
    reading.set(group, begun);
    return begun;
  };

  return {
    ...search.observed,
    streamsOpen: (count) => streams.set(count),
    eventSent: () => sent.inc(),
    observeRequest({ method, route, status }, seconds) {
      requests.observe({ method, route, status: String(status) }, seconds);
    },
    async render() {
      const failures: unknown[] = [];
      const fail = (error: unknown): void => void failures.push(error);
      const all = Promise.all(groups.map((group) => read(group).catch(fail)));
      await withTimeLimit(patienceMs, all, () =>
        fail(new Error(`The database did not answer within ${patienceMs / 1_000} s.`)),
      );
      // The other metrics matter even more then.
      if (failures.length > 0) log.warn({ err: failures[0] }, 'metrics of the database cannot be read');
      const merged = Registry.merge([measured.registry, registry]);
      return { text: await merged.metrics(), mediaType: merged.contentType };
    },
  };
}
