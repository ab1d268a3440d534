import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { toolsFolder } from './tools-folder.js';

const run = promisify(execFile);

/** A separate Python environment with the packages of a requirements file. */
export interface TestPython {
  readonly python: string;
  /** Returns the path of a program from a package. */
  program(name: string): string;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Returns the output of a failed program. */
function saidBy(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
  return `${stdout}${stderr}`.trim() || String(error);
}

async function makeEnvironment(folder: string): Promise<void> {
  try {
    await run('python3', ['-m', 'venv', folder]);
  } catch (error) {
    const hint =
      'The tests need Python with its modules venv and pip (on Debian: apt-get install python3-venv).';
    throw new Error(`${hint} ${saidBy(error)}`, { cause: error });
  }
}

async function install(folder: string, requirements: URL): Promise<void> {
  const path = fileURLToPath(requirements);
  const name = relative(process.cwd(), path);
  console.error(`Installing the Python packages of ${name}, once.`);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', path];
  try {
    await run(join(folder, 'bin', 'python'), pip, { maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    throw new Error(`Installing ${name} failed: ${saidBy(error)}`, { cause: error });
  }
}

/**
 * Finds the Python environment for tests. It is created in the user's cache folder the first time, and again when the
 * requirements change. An environment cannot be moved, so a link points to the first complete one.
 */
export async function findPython(
  requirements = new URL('requirements.txt', import.meta.url),
): Promise<TestPython> {
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(toolsFolder(), `python-${hash}`);
  if (!(await isThere(folder))) {
    await mkdir(toolsFolder(), { recursive: true });
    const made = await mkdtemp(`${folder}-`);
    try {
      await makeEnvironment(made);
      await install(made, requirements);
      await symlink(basename(made), folder);
    } catch (error) {
      await rm(made, { recursive: true, force: true });
      // Another test run was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return { python: join(folder, 'bin', 'python'), program: (name) => join(folder, 'bin', name) };
}
