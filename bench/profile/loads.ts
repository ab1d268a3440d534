import { join } from 'node:path';
import { createChunkTexts } from '../kit/chunk-texts.js';
import type { BenchOptions } from '../kit/figure.js';
import { startEngineRig } from '../kit/engine-rig.js';
import { perSecond, startGetter } from '../kit/load.js';
import { artifactBytes, makeArtifacts } from '../kit/made-artifacts.js';
import { createNothing, inFlight, steps } from '../kit/nothing.js';
import { startParts } from '../kit/parts.js';
import { cpuSeconds } from '../kit/process-cost.js';
import { indexFolder, registerIndex } from '../kit/search-index.js';
import { startSearching } from '../kit/searching.js';
import { temporaryFolder } from '../../test/support/temporary.js';

const connections = 32;
/** Searches that an API of two processors carries out side by side. */
const atOnce = 2;

/** What Node wrote about one process, and when the load began and ended. */
export interface Recording {
  /** `api` or `worker`. */
  readonly name: string;
  readonly title: string;
  /** Where its profiles are, one of each thread. */
  readonly folder: string;
  /** Microseconds of the clock of the profiles. */
  readonly from: number;
  readonly to: number;
  /** Processor time of the process between them, of all its threads. */
  readonly cpuSeconds: number;
}

/** The load of a bench on our side alone. It has ended, and so have the processes, when the recordings are returned. */
export type ProfiledLoad = (options: BenchOptions) => Promise<Recording[]>;

interface Profiled {
  readonly name: string;
  readonly title: string;
  readonly pid: number;
}

export const profiledLoads: Readonly<Record<string, ProfiledLoad>> = {
  async engine({ scale, say }) {
    const folder = temporaryFolder();
    const node = { api: nodeOptions(folder, 'api'), worker: nodeOptions(folder, 'worker') };
    const rig = await startEngineRig({ node });
    let recordings: Recording[];
    try {
      await createNothing(rig.api);
      const run = async (seconds: number): Promise<void> => {
        const rate = await perSecond(seconds * scale, inFlight, () => rig.ours('nothing'));
        say(`${(rate * steps).toFixed(0)} steps/s`);
      };
      const load = `resources of ${steps} no-op steps, ${inFlight} in flight`;
      await run(10);
      recordings = await record(folder, () => run(40), [
        { name: 'api', title: `API: ${load}`, pid: rig.api.pid },
        { name: 'worker', title: `Core's worker: ${load}`, pid: rig.worker.pid },
      ]);
    } finally {
      await rig.stop();
    }
    return recordings;
  },
  async read({ scale, say }) {
    const folder = temporaryFolder();
    const parts = await startParts();
    const api = await parts.startApi({}, nodeOptions(folder, 'api'));
    await parts.startWorker();
    const getter = startGetter(connections, api.key);
    let recordings: Recording[];
    try {
      const rows = await makeArtifacts(parts, api);
      const run = async (seconds: number): Promise<void> => {
        const rate = await perSecond(seconds * scale, connections, (index) =>
          getter.get(`${api.base}/api/v1/resources/${rows[index % rows.length]!.resource_id}`),
        );
        say(`${rate.toFixed(0)} requests/s`);
      };
      const title = `API: GET /resources/{id} of a resource with an artifact of ${artifactBytes} bytes, ${connections} connections`;
      await run(5);
      recordings = await record(folder, () => run(20), [{ name: 'api', title, pid: api.pid }]);
    } finally {
      await getter.close();
      await parts.stop();
    }
    return recordings;
  },
  async search({ scale, say }) {
    const folder = temporaryFolder();
    const chunks = Math.round(10_000 * scale);
    const uri = `lancedb:${await indexFolder(chunks, say)}`;
    const parts = await startParts({ KW_SEARCH_URI: uri });
    let recordings: Recording[];
    try {
      await registerIndex(parts.db, uri, chunks);
      const api = await parts.startApi({}, nodeOptions(folder, 'api'));
      const searching = startSearching(api, atOnce);
      const texts = createChunkTexts(11);
      const run = async (seconds: number): Promise<void> => {
        const rate = await perSecond(
          seconds,
          atOnce,
          async () => void (await searching.ask({ q: texts.words(4) })),
        );
        say(`${rate.toFixed(0)} searches/s`);
      };
      const title = `API: searches for four words over ${chunks} chunks, ${atOnce} at once`;
      await run(5);
      recordings = await record(folder, () => run(20), [{ name: 'api', title, pid: api.pid }]);
      await searching.close();
    } finally {
      await parts.stop();
    }
    return recordings;
  },
};

/** Has Node write what a process does, when it ends. */
function nodeOptions(folder: string, name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${join(folder, name)}`];
}

async function record(
  folder: string,
  load: () => Promise<void>,
  processes: readonly Profiled[],
): Promise<Recording[]> {
  const now = (): number => Number(process.hrtime.bigint() / 1000n);
  const before = processes.map(({ pid }) => cpuSeconds(pid));
  const from = now();
  await load();
  const to = now();
  return processes.map(({ name, title, pid }, index) => ({
    name,
    title,
    folder: join(folder, name),
    from,
    to,
    cpuSeconds: cpuSeconds(pid) - before[index]!,
  }));
}
