import { percentile, spreadOf, type Bench, type Figure } from '../kit/figure.js';
import { startGetter, type Getter } from '../kit/load/load.js';
import { startParts, type Parts, type RunningApi } from '../kit/parts.js';
import { eventually } from '../../test/support/eventually.js';

const rounds = 5;
const resources = 10_000;
const secondsEach = 10;
/** Concurrent sequences of requests, like those of people who use the page. */
const lanes = 4;
const shares = { p50: 0.5, p99: 0.99 } as const;

/** How much a bulk operation slows down other requests. */
export const operations: Bench = {
  name: 'operations',
  about: `GET /resources/{id}, ${lanes} at once, while an operation reprocesses ${resources.toLocaleString('en')} resources; the same requests without an operation`,
  async run({ scale, say }) {
    const count = Math.max(200, Math.round(resources * scale));
    const seconds = Math.max(2, secondsEach * scale);
    const parts = await startParts();
    const api = await parts.startApi();
    await parts.startWorker();
    const getter = startGetter(lanes, api.key);
    try {
      const ids = await prepare(parts, api, count);
      await measure(getter, api, ids, 1);
      const figures = Object.keys(shares).map((what): { -readonly [Key in keyof Figure]: Figure[Key] } => ({
        ...{ what: `${what} of GET /resources/{id}`, unit: 'ms', ours: [], beside: [] },
        goal: { atMost: 1.5 },
      }));
      for (let round = 0; round < rounds; round += 1) {
        const beside = await measure(getter, api, ids, seconds);
        const { id } = await api.client.expect(202, 'POST', '/operations', {
          action: 'reprocess',
          filter: { type: 'many' },
        });
        await eventually(async () => (await find(api, id)).done > 0, { timeoutMs: 60_000 });
        const ours = await measure(getter, api, ids, seconds);
        const { status, done } = await find(api, id);
        say(
          `${done} of ${count} were reprocessed${status === 'RUNNING' ? '' : '; the operation had already ended'}`,
        );
        await api.client.expect(200, 'POST', `/operations/${id}/cancel`);
        await settle(parts);
        for (const [at, share] of Object.values(shares).entries()) {
          const figure = figures[at]!;
          figure.ours = [...figure.ours, percentile(ours, share)];
          figure.beside = [...figure.beside, percentile(beside, share)];
        }
      }
      for (const { what, ours, beside } of figures)
        say(
          `${what}: ${spreadOf(ours).median.toFixed(1)} ms, without ${spreadOf(beside).median.toFixed(1)} ms`,
        );
      return { figures };
    } finally {
      await getter.close();
      await parts.stop();
    }
  },
};

const find = (api: RunningApi, id: string): Promise<any> =>
  api.client.expect(200, 'GET', `/operations/${id}`);

/** Creates a pipeline with one short step, and resources of its type. Returns the ids of some of them. */
async function prepare({ db }: Parts, api: RunningApi, count: number): Promise<readonly string[]> {
  await eventually(() => api.client.expect(200, 'GET', '/plugins/chunk-text'), { timeoutMs: 60_000 });
  const steps = [{ plugin_id: 'chunk-text', max_attempts: 1, backoff_seconds: 0 }];
  await api.client.expect(201, 'POST', '/pipelines', { name: 'Many', trigger_type: 'many', steps });
  await db.raw(
    `insert into resources (id, name, type, source_type, status)
     select gen_random_uuid(), 'resource ' || n, 'many', 'UPLOAD', 'PENDING' from generate_series(1, ?) as n`,
    [count],
  );
  await db.raw('vacuum analyze resources');
  return await db('resources').limit(200).pluck('id');
}

/** Returns the duration of each request in milliseconds. */
async function measure(
  getter: Getter,
  { base }: RunningApi,
  ids: readonly string[],
  seconds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const lane = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < until; at += lanes) {
      const begun = performance.now();
      await getter.get(`${base}/api/v1/resources/${ids[at % ids.length]}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)));
  return times;
}

/** Waits until no runs are active. */
async function settle({ db }: Parts): Promise<void> {
  await eventually(
    async () => {
      const left: unknown = await db('resources').where({ status: 'PROCESSING' }).first('id');
      return left === undefined;
    },
    { timeoutMs: 600_000, intervalMs: 200 },
  );
}
