// Compiled already, as the children of a service are: tries what a child has no reason to do, and says what came of it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

async function run({ path, port }, source, { send }) {
  const tries = {
    'read a file': () => readFileSync(path),
    'read settings': () => readFileSync(new URL('../../../.env.example', import.meta.url)),
    'write a file': () => writeFileSync(path, 'x'),
    'make a folder': () => mkdtempSync(`${path}-`),
    'start a process': () => execFileSync(process.execPath, ['-e', '']),
    'start a thread': () => new Worker('', { eval: true }),
    'read its source': () => source.read(0, 10).toString(),
    'have a package': () => import('yauzl'),
    connect: () =>
      new Promise((resolve, reject) => {
        connect(port, '127.0.0.1').on('connect', resolve).on('error', reject);
      }),
  };
  for (const [what, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      send([what, 'done']);
    } catch (error) {
      send([what, error.code ?? String(error)]);
    }
  }
}

export const task = { run };
