import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCore, type Answer, type TestCore } from './core.js';
import { createKw, type Kw } from './kw.js';
import { createKwPlugins, type KwPlugins } from './kw-plugins.js';

/** `kw` with the admin key of a service that processes the types `note` (immediately) and `slow` (held first). */
export interface KwCore {
  readonly core: TestCore;
  readonly held: KwPlugins;
  readonly kw: Kw;
  /** Writes a file below the folder where `kw` runs. Returns its name. */
  readonly file: (name: string, content: string) => string;
  /** Writes a file with a unique name. */
  readonly fresh: (content: string) => string;
  /** Returns the resources with a name. */
  readonly named: (name: string) => Promise<Answer['body'][]>;
}

const step = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 60 };

/** Starts the service; `core.stop` stops it. */
export async function startKwCore(): Promise<KwCore> {
  const held = createKwPlugins();
  const core = await startCore({ plugins: held.plugins, env: { KW_SWEEP_INTERVAL_SECONDS: '1' } });
  const kw = createKw({ KW_URL: core.base, KW_API_KEY: core.adminKey });
  await core.pipeline('note', { plugin_id: 'echo', ...step });
  await core.pipeline('slow', { plugin_id: 'hold', ...step }, { plugin_id: 'echo', ...step });
  const file: KwCore['file'] = (name, content) => {
    mkdirSync(join(kw.folder, name, '..'), { recursive: true });
    writeFileSync(join(kw.folder, name), content);
    return name;
  };
  let names = 0;
  return {
    core,
    held,
    kw,
    file,
    fresh: (content) => file(`file-${(names += 1)}.txt`, content),
    async named(name) {
      const { body } = await core.call('GET', `/resources?include=steps&q=${encodeURIComponent(name)}`);
      return body.items.filter((item: { name: string }) => item.name === name);
    },
  };
}
