import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { toolsFolder } from '../../../test/support/servers/tools-folder.js';

/** The server version in the dev server that all other benches use. */
const version = 'v1.29.1';
const packages = { server: 'cmd/server', sql: 'cmd/tools/sql' } as const;
/** Compiling must not slow down other processes. */
const niceness = 15;
const packagesBetweenLines = 200;

/** Temporal's own server, and its tool for database schemas. */
export interface TemporalPrograms {
  readonly server: string;
  readonly sql: string;
}

/** Finds the programs in the cache folder. Builds missing ones with Go, and reports that to `say`. */
export async function findTemporalPrograms(say: (text: string) => void): Promise<TemporalPrograms> {
  return { sql: await find('sql', say), server: await find('server', say) };
}

async function find(name: keyof typeof packages, say: (text: string) => void): Promise<string> {
  const folder = toolsFolder();
  const program = join(folder, `temporal-${name}-${version}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(folder, 'build-'));
  try {
    const source = `go.temporal.io/server/${packages[name]}@${version}`;
    say(`building ${source} with Go, once; this takes some minutes`);
    await install(source, scratch, say);
    renameSync(join(scratch, name), program);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return program;
}

async function install(source: string, into: string, say: (text: string) => void): Promise<void> {
  const go = spawn('go', ['install', '-v', '-ldflags', '-s -w', source], {
    env: { ...process.env, GOBIN: into },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (go.pid !== undefined) setPriority(go.pid, niceness);
  let compiled = 0;
  let lastLine = '';
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((each) => each !== '')) {
      lastLine = line;
      if (!line.startsWith('go: ') && ++compiled % packagesBetweenLines === 0)
        say(`${compiled} packages compiled`);
    }
  });
  const [code] = (await once(go, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Temporal's server could not be built with Go: ${lastLine}`);
}
