import { followCompletions } from '../load/completions.js';
import { startHttpPlugin } from '../http-plugin.js';
import { manyAtOnce } from '../in-turns.js';
import type { Parts, RunningApi } from '../parts.js';
import { startRegistering } from '../load/registering.js';

const resources = 100;
export const artifactBytes = 10_000;

export interface ArtifactRow {
  readonly id: string;
  readonly resource_id: string;
  readonly object_key: string;
}

/** Registers a hundred resources whose only step produces a text of `artifactBytes`. */
export async function makeArtifacts(parts: Parts, api: RunningApi): Promise<ArtifactRow[]> {
  const content = 'Ten thousand bytes. '.repeat(artifactBytes / 20);
  const plugin = await startHttpPlugin(api, 'texts', (callback, worker) => {
    const artifact = { type: 'text', content_type: 'text', content };
    void worker.report(callback, { status: 'SUCCESS', artifact });
  });
  const registering = startRegistering(api, 10);
  const completions = await followCompletions(api.base, api.key);
  try {
    await api.addPipeline('text', [{ plugin_id: 'texts' }]);
    await manyAtOnce(resources, 10, async () => completions.of(await registering.register('text')));
    return await parts.db<ArtifactRow>('artifacts').select('id', 'resource_id', 'object_key');
  } finally {
    await completions.close();
    await registering.close();
    await plugin.stop();
  }
}
