import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPython } from '../servers/python.js';
import type { GeneratedClient } from './generated-client.js';
import { keptFolder } from './kept-folder.js';

const run = promisify(execFile);
const story = fileURLToPath(new URL('story.py', import.meta.url));

/** Builds `story.py` with the client that openapi-python-client generates from a document. */
export async function generatePythonClient(document: string): Promise<GeneratedClient> {
  const installed = await findPython(new URL('../servers/requirements-clients.txt', import.meta.url));
  const generator = installed.program('openapi-python-client');
  const folder = await keptFolder('python-client', [document], async (made) => {
    const file = join(made, 'openapi.json');
    await writeFile(file, document);
    const options = ['--path', file, '--output-path', join(made, 'generated'), '--meta', 'none'];
    const { stdout, stderr } = await run(generator, ['generate', ...options], { cwd: made });
    const dropped = /Unable to process schema.*|Attempted to generate duplicate.*/.exec(stdout + stderr);
    if (dropped !== null) throw new Error(`The generator dropped a schema: ${stdout}${stderr}`);
  });
  return {
    async run(address, key) {
      const env = { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await run(installed.python, [story, address, key], { env, timeout: 90_000 });
      return JSON.parse(stdout);
    },
  };
}
