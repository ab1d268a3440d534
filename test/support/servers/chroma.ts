import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atExit } from '../at-exit.js';
import { eventually } from '../eventually.js';
import { reservePort } from './ports.js';
import { findPython } from './python.js';
import { temporaryFolder } from '../temporary.js';

/** A running Chroma server, initially empty. */
export interface TestChroma {
  readonly url: string;
  /** Returns the rows of a collection in no particular order; null if the collection does not exist. */
  rows(collection: string): Promise<{ readonly ids: string[]; readonly [key: string]: any } | null>;
  /** Kills the server; `resume` starts it again at the same address with its rows. */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real Chroma server on a free port with its rows in a temporary folder. */
export async function startChroma(): Promise<TestChroma> {
  const python = await findPython();
  const folder = temporaryFolder();
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn(
      python.program('chroma'),
      ['run', '--path', join(folder, 'data'), '--host', '127.0.0.1', '--port', String(port)],
      { stdio: 'ignore', cwd: folder, env: { ...process.env, ANONYMIZED_TELEMETRY: 'False' } },
    );
    await eventually(async () => (await fetch(`${url}/api/v2/heartbeat`)).ok);
  };
  const interrupt = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null && server.kill('SIGKILL'))
      await once(server, 'exit');
  };
  const stop = async (): Promise<void> => {
    await interrupt();
    await rm(folder, { recursive: true, force: true });
  };
  atExit(() => server.kill('SIGKILL'));
  try {
    await start();
  } catch (error) {
    await stop();
    throw new Error('The Chroma server did not start.', { cause: error });
  }
  const collections = `${url}/api/v2/tenants/default_tenant/databases/default_database/collections`;
  return {
    url,
    async rows(collection) {
      const found = await fetch(`${collections}/${collection}`);
      if (found.status === 404) return null;
      const { id } = (await found.json()) as { readonly id: string };
      const response = await fetch(`${collections}/${id}/get`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ include: ['documents', 'metadatas', 'embeddings'] }),
      });
      return (await response.json()) as { readonly ids: string[] };
    },
    interrupt,
    resume: start,
    stop,
  };
}
