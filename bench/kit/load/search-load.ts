import { percentile, spreadOf, toCount, type Count, type Figure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { startGetter } from './load.js';
import type { Parts, RunningApi } from '../parts.js';
import { startCompleting, storeSources } from './completing.js';
import { residentMib } from '../costs/process-cost.js';
import { chunksOfResource, resourceId } from '../search-index.js';
import { atRate, type Searching } from './searching.js';

const searchesPerSecond = 20;
const readsPerSecond = 40;
/** With ten chunks each: 200 chunks per second. */
const completionsPerSecond = 20;
const rounds = 3;

export interface SearchLoad {
  readonly resources: number;
  readonly parts: Parts;
  readonly api: RunningApi;
  readonly searching: Searching;
  /** Returns the body of the next search. */
  readonly next: () => Readonly<Record<string, unknown>>;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

/** Measures how searches and the rest of the service affect each other. */
export async function underLoad(load: SearchLoad): Promise<{ figures: Figure[]; counts: Count[] }> {
  const besideReads = await readsBesideSearches(load);
  const worker = await load.parts.startWorker();
  const whileIndexing = await searchesWhileIndexing(load);
  const whileRebuilding = await searchesWhileRebuilding(load);
  const memory = [
    toCount('memory of the API', 'MiB', residentMib(load.api.pid)),
    toCount('memory of the worker that indexes', 'MiB', residentMib(worker.pid)),
  ];
  return {
    figures: [besideReads, whileRebuilding.figure],
    counts: [...whileIndexing, ...whileRebuilding.counts, ...memory],
  };
}

const search = ({ searching, next }: SearchLoad): Promise<unknown> => searching.ask(next());

/** Measures p99 of reads of a resource, with and without concurrent searches. */
async function readsBesideSearches(load: SearchLoad): Promise<Figure> {
  const { api, seconds } = load;
  const getter = startGetter(8, api.key);
  const reads = async (): Promise<number> => {
    const rate = { seconds, perSecond: readsPerSecond };
    const times = await atRate(rate, (index) =>
      getter.get(`${api.base}/api/v1/resources/${resourceId((index * 7919) % load.resources)}`),
    );
    return percentile(times, 0.99);
  };
  const sides = await inTurns(rounds, {
    async ours() {
      const [p99] = await Promise.all([
        reads(),
        atRate({ seconds, perSecond: searchesPerSecond }, () => search(load)),
      ]);
      return p99;
    },
    beside: reads,
  });
  await getter.close();
  const what = `p99 of GET /resources/{id} while ${searchesPerSecond} searches a second run, beside none`;
  return { what, unit: 'ms', ...sides, goal: { atMost: 1.5 } };
}

/** Measures how soon after its commit a completed resource is found, during searches and further completions. */
async function searchesWhileIndexing(load: SearchLoad): Promise<Count[]> {
  const { parts, searching, seconds, say } = load;
  const completing = startCompleting(parts);
  const words = Array.from({ length: seconds * completionsPerSecond }, (_, index) => `needle${index}x`);
  const ids = await completing.prepare(words);
  const delays: number[] = [];
  let isOver = false;
  /** Only every twentieth is searched for: searching for each would dominate the load. */
  const watch = async (index: number): Promise<void> => {
    const id = ids[index] ?? '';
    await completing.complete(id);
    if (index % completionsPerSecond !== 0) return;
    const committed = performance.now();
    while (!isOver) {
      const { items } = await searching.ask({ q: words[index], limit: 1 });
      if (items.some(({ resource }) => resource.id === id)) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    delays.push(performance.now() - committed);
  };
  const deadline = setTimeout(() => (isOver = true), (seconds + 60) * 1000);
  const begun = performance.now();
  const [times] = await Promise.all([
    atRate({ seconds, perSecond: searchesPerSecond }, () => search(load)),
    atRate({ seconds, perSecond: completionsPerSecond }, watch),
  ]);
  const followed = await allFollowed(load, begun + (seconds + 60) * 1000);
  clearTimeout(deadline);
  const rate = (words.length * chunksOfResource * 1000) / (followed - begun);
  say(`${words.length * chunksOfResource} chunks indexed in ${((followed - begun) / 1000).toFixed(1)} s`);
  const beside = `while ${searchesPerSecond} searches a second run`;
  return [
    toCount(`chunks indexed ${beside}`, 'chunks/s', rate, { atLeast: 190 }),
    toCount(`from COMPLETED to found, p95, ${beside}`, 'ms', percentile(delays, 0.95), { atMost: 1_000 }),
    toCount('p50 of searches while 200 chunks a second are indexed', 'ms', percentile(times, 0.5)),
    toCount('p95 of searches while 200 chunks a second are indexed', 'ms', percentile(times, 0.95)),
  ];
}

/** Waits until no changes are pending, and returns the time. */
async function allFollowed({ parts }: SearchLoad, until: number): Promise<number> {
  for (;;) {
    if ((await parts.count('search_changes')) === 0 || performance.now() > until) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Measures consecutive searches while an index is rebuilt. */
async function searchesWhileRebuilding(load: SearchLoad): Promise<{ figure: Figure; counts: Count[] }> {
  const { parts, api, seconds } = load;
  await storeSources(parts);
  const p50 = async (): Promise<number> =>
    percentile(await atRate({ seconds, perSecond: searchesPerSecond / 2 }, () => search(load)), 0.5);
  const isRebuilding = async (): Promise<boolean> =>
    ((await api.client.expect(200, 'GET', '/search/status')) as { rebuilding: boolean }).rebuilding;
  let rebuilt = 0;
  const sides = await inTurns(rounds, {
    async ours() {
      if (!(await isRebuilding())) await api.client.expect(202, 'POST', '/search/rebuild');
      const taken = await p50();
      const { rebuild } = await api.client.expect(200, 'GET', '/search/status');
      rebuilt = Math.max(rebuilt, (rebuild as { resources: number } | null)?.resources ?? 0);
      // The next turn runs without a rebuild.
      await parts
        .db('search_indexes')
        .where({ state: 'BUILDING' })
        .update({ state: 'RETIRED', retired_at: new Date() });
      return taken;
    },
    beside: p50,
  });
  return {
    figure: {
      what: 'p50 of searches during a rebuild, beside none',
      unit: 'ms',
      ...sides,
      goal: { atMost: 2 },
    },
    counts: [
      toCount(`resources rebuilt within ${seconds} s at most`, 'resources', rebuilt),
      toCount('p50 of searches, worst round of a rebuild', 'ms', spreadOf(sides.ours).max),
    ],
  };
}
