import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../python.js';
import { toolsFolder } from '../s3.js';

const run = promisify(execFile);

export interface PythonClient {
  /** Runs a program that imports the client as `generated`; gives what it printed. */
  run(program: string, args: readonly string[]): Promise<string>;
}

/** The client that openapi-python-client makes of a document: made once for each document, then kept. */
export async function generatePythonClient(document: object): Promise<PythonClient> {
  const installed = await findPython(new URL('../requirements-clients.txt', import.meta.url));
  const text = JSON.stringify(document);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const folder = join(toolsFolder(), `python-client-${hash}`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) await generate(installed.program('openapi-python-client'), text, folder);
  return {
    run: async (script, args) => {
      const env = { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      return (await run(installed.python, [script, ...args], { env, timeout: 90_000 })).stdout;
    },
  };
}

async function generate(generator: string, document: string, folder: string): Promise<void> {
  const made = await mkdtemp(`${folder}-`);
  try {
    const file = join(made, 'openapi.json');
    await writeFile(file, document);
    const options = ['--path', file, '--output-path', join(made, 'generated'), '--meta', 'none'];
    const { stdout, stderr } = await run(generator, ['generate', ...options], { cwd: dirname(made) });
    const dropped = /Unable to process schema.*|Attempted to generate duplicate.*/.exec(stdout + stderr);
    if (dropped !== null) throw new Error(`The generator dropped a schema: ${stdout}${stderr}`);
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    // Another process of the tests was faster.
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
