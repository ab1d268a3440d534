import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AttemptOutcome, FinalStatus } from '../../core/states.js';

/** Metrics that each process records about itself. No label contains user data such as resources or keys. */
export interface ProcessMetrics {
  readonly registry: Registry;
  runEnded(run: { readonly status: FinalStatus; readonly seconds: number }): void;
  attemptSettled(attempt: {
    readonly pluginId: string;
    readonly outcome: AttemptOutcome;
    readonly seconds: number;
  }): void;
  objectStoreUsed(use: {
    readonly operation: string;
    readonly outcome: 'ok' | 'error';
    readonly seconds: number;
  }): void;
  logLineLost(): void;
  /** Sets the source of the connection pool metrics, which is read at each scrape. */
  watchPool(
    use: () => { readonly used: number; readonly idle: number; readonly waiting: number },
    size: number,
  ): void;
}

const workBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200];

export function createProcessMetrics(): ProcessMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const runs = new Histogram({
    name: 'kw_run_duration_seconds',
    help: 'Runs that this process ended, by status, and their time from registration or reprocessing to the end.',
    labelNames: ['status'],
    buckets: workBuckets,
    registers,
  });
  for (const status of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) runs.zero({ status });
  const attempts = new Counter({
    name: 'kw_attempts_total',
    help: 'Attempts at steps whose outcome this process wrote: SUCCESS, FAILURE, TIMED_OUT, CANCELLED, or SUPERSEDED by a later attempt.',
    labelNames: ['plugin', 'outcome'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'kw_attempt_duration_seconds',
    help: 'Time from the claim of an attempt to its outcome. It does not include attempts of activities that never claim.',
    labelNames: ['plugin'],
    buckets: workBuckets,
    registers,
  });
  const objectStore = new Histogram({
    name: 'kw_object_store_operation_duration_seconds',
    help: 'Requests to the object store. put: until the object is stored; get: until its first byte can be read.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    registers,
  });

  const lostLines = new Counter({
    name: 'kw_log_lines_lost_total',
    help: 'Log lines of this process that were lost because the disk is full or nothing reads them.',
    registers,
  });

  return {
    registry,
    logLineLost: () => lostLines.inc(),
    runEnded: ({ status, seconds }) => runs.observe({ status }, seconds),
    attemptSettled({ pluginId: plugin, outcome, seconds }) {
      attempts.inc({ plugin, outcome });
      if (seconds > 0) attemptSeconds.observe({ plugin }, seconds);
    },
    objectStoreUsed: ({ operation, outcome, seconds }) =>
      objectStore.observe({ operation, outcome }, seconds),
    watchPool(use, size) {
      new Gauge({
        name: 'kw_database_connections',
        help: 'Connections to PostgreSQL that this process holds: used, idle; waiting: how many callers wait for one.',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(use())) this.set({ state }, count);
        },
      });
      new Gauge({
        name: 'kw_database_connections_max',
        help: 'The maximum number of connections that this process opens to PostgreSQL.',
        registers,
      }).set(size);
    },
  };
}
