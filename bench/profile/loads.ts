import { join } from 'node:path';
import { createChunkTexts } from '../kit/corpora/chunk-texts.js';
import type { BenchOptions } from '../kit/figure.js';
import { startEngineRig } from '../kit/rivals/engine-rig.js';
import { perSecond, startGetter } from '../kit/load/load.js';
import { makeArtifacts } from '../kit/corpora/made-artifacts.js';
import { createNoopPipeline, inFlight, steps } from '../kit/noop-load.js';
import { startParts } from '../kit/parts.js';
import { indexFolder, registerIndex } from '../kit/search-index.js';
import { startSearching } from '../kit/load/searching.js';

const connections = 32;
/** The number of searches that an API with two processors runs concurrently. */
const atOnce = 2;

/**
 * Runs the load of a bench on our side only. When a process ends, which is before this resolves, Node writes the
 * profiles of its threads to a folder below `folder` that is named after the process.
 */
export type ProfiledLoad = (options: BenchOptions & { readonly folder: string }) => Promise<void>;

export const profiledLoads: Readonly<Record<string, ProfiledLoad>> = {
  async engine({ scale, folder, say }) {
    const node = { api: nodeOptions(folder, 'api'), worker: nodeOptions(folder, 'worker') };
    const rig = await startEngineRig({ node });
    try {
      await createNoopPipeline(rig.api);
      const rate = await perSecond(50 * scale, inFlight, () => rig.ours('nothing'));
      say(`${(rate * steps).toFixed(0)} steps/s`);
    } finally {
      await rig.stop();
    }
  },
  async read({ scale, folder, say }) {
    const parts = await startParts();
    const api = await parts.startApi({}, nodeOptions(folder, 'api'));
    await parts.startWorker();
    const getter = startGetter(connections, api.key);
    try {
      const rows = await makeArtifacts(parts, api);
      const rate = await perSecond(25 * scale, connections, (index) =>
        getter.get(`${api.base}/api/v1/resources/${rows[index % rows.length]!.resource_id}`),
      );
      say(`${rate.toFixed(0)} requests/s`);
    } finally {
      await getter.close();
      await parts.stop();
    }
  },
  async search({ scale, folder, say }) {
    const chunks = Math.round(10_000 * scale);
    const uri = `lancedb:${await indexFolder(chunks, say)}`;
    const parts = await startParts({ KW_SEARCH_URI: uri });
    try {
      await registerIndex(parts.db, uri, chunks);
      const api = await parts.startApi({}, nodeOptions(folder, 'api'));
      const searching = startSearching(api, atOnce);
      const texts = createChunkTexts(11);
      const ask = async (): Promise<void> => void (await searching.ask({ q: texts.words(4) }));
      say(`${(await perSecond(25, atOnce, ask)).toFixed(0)} searches/s`);
      await searching.close();
    } finally {
      await parts.stop();
    }
  },
};

/** Returns the Node options that write a process's profile when it ends. */
function nodeOptions(folder: string, name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${join(folder, name)}`];
}
