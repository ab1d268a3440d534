import { percentile, spreadOf, type Bench, type Figure } from '../kit/figure.js';
import { startGetter } from '../kit/load/load.js';
import { atRate } from '../kit/load/searching.js';
import { startParts, type Parts, type RunningApi } from '../kit/parts.js';
import { eventually } from '../../test/support/eventually.js';

const rounds = 5;
const resources = 10_000;
const secondsEach = 10;
/** The rate of requests, like that of a few people who use the page. */
const readsPerSecond = 40;
/** Sequences of requests without a pause, which together keep the processors busy. */
const lanes = 4;

interface Load {
  readonly figures: readonly Pick<Figure, 'what' | 'unit' | 'goal'>[];
  /** Sends requests for some seconds. Resolves with the value of each figure. */
  readonly measure: (get: (index: number) => Promise<void>, seconds: number) => Promise<readonly number[]>;
}

const loads: readonly Load[] = [
  {
    figures: ['p50', 'p99'].map((name) => ({
      what: `${name} of GET /resources/{id}, ${readsPerSecond} a second`,
      unit: 'ms',
      goal: { atMost: 2 },
    })),
    async measure(get, seconds) {
      const times = await atRate({ seconds, perSecond: readsPerSecond }, get);
      return [percentile(times, 0.5), percentile(times, 0.99)];
    },
  },
  {
    figures: [
      {
        what: `GET /resources/{id}, ${lanes} at once without a pause`,
        unit: 'requests/s',
        goal: { atLeast: 0.5 },
      },
    ],
    async measure(get, seconds) {
      let done = 0;
      const until = performance.now() + seconds * 1_000;
      const lane = async (first: number): Promise<void> => {
        for (let at = first; performance.now() < until; at += lanes) {
          await get(at);
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)));
      return [done / seconds];
    },
  },
];

/** How much a bulk operation slows down other requests. */
export const operations: Bench = {
  name: 'operations',
  about: `GET /resources/{id} while an operation reprocesses ${resources.toLocaleString('en')} resources; the same requests without an operation`,
  async run({ scale, say }) {
    const count = Math.max(200, Math.round(resources * scale));
    const seconds = Math.max(2, secondsEach * scale);
    const parts = await startParts();
    const api = await parts.startApi();
    await parts.startWorker();
    const getter = startGetter(lanes, api.key);
    try {
      const ids = await prepare(parts, api, count);
      const get = (index: number): Promise<void> =>
        getter.get(`${api.base}/api/v1/resources/${ids[index % ids.length]}`);
      const figures: Figure[] = [];
      for (const { measure, figures: measured } of loads) {
        await measure(get, 1);
        const ours: (readonly number[])[] = [];
        const beside: (readonly number[])[] = [];
        for (let round = 0; round < rounds; round += 1) {
          beside.push(await measure(get, seconds));
          const { id } = await api.client.expect(202, 'POST', '/operations', {
            action: 'reprocess',
            filter: { type: 'many' },
          });
          await eventually(async () => (await find(api, id)).done > 0, { timeoutMs: 60_000 });
          ours.push(await measure(get, seconds));
          const { status, done } = await find(api, id);
          say(
            `${done} of ${count} were reprocessed${status === 'RUNNING' ? '' : '; the operation had already ended'}`,
          );
          await api.client.expect(200, 'POST', `/operations/${id}/cancel`);
          await settle(parts);
        }
        for (const [at, figure] of measured.entries()) {
          const values = (rounds: readonly (readonly number[])[]) => rounds.map((each) => each[at]!);
          figures.push({ ...figure, ours: values(ours), beside: values(beside) });
        }
      }
      for (const { what, ours, beside } of figures)
        say(`${what}: ${spreadOf(ours).median.toFixed(1)}, without ${spreadOf(beside).median.toFixed(1)}`);
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
  await api.addPipeline('many', steps);
  await db.raw(
    `insert into resources (id, name, type, source_type, status)
     select gen_random_uuid(), 'resource ' || n, 'many', 'UPLOAD', 'PENDING' from generate_series(1, ?) as n`,
    [count],
  );
  await db.raw('vacuum analyze resources');
  return await db('resources').limit(200).pluck('id');
}

/** Waits until no runs are active. */
async function settle(parts: Parts): Promise<void> {
  const isIdle = async (): Promise<boolean> =>
    (await parts.count(`resources where status = 'PROCESSING'`)) === 0;
  await eventually(isIdle, { timeoutMs: 600_000, intervalMs: 200 });
}
