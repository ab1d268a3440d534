import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { toolsFolder } from './tools-folder.js';

const run = promisify(execFile);

/** A program to build with Go. */
export interface GoProgram {
  /** Why it is needed, as in "The tests need an S3 server". */
  readonly purpose: string;
  /** The name of its executable. */
  readonly name: string;
  /** The path of its Go package. */
  readonly module: string;
  readonly version: string;
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the path of a program: on the PATH (any version), in the cache folder, or else built with Go.
 *
 * @param options.onPath False: accepts only this version.
 */
export async function findGoProgram(
  program: GoProgram,
  { onPath = true }: { readonly onPath?: boolean } = {},
): Promise<string> {
  const binary = process.platform === 'win32' ? `${program.name}.exe` : program.name;
  const cached = join(toolsFolder(), `${program.name}-${program.version}`);
  const folders = onPath ? (process.env['PATH'] ?? '').split(delimiter).filter(Boolean) : [];
  for (const path of [...folders.map((folder) => join(folder, binary)), cached])
    if (await isProgram(path)) return path;
  await build(program, binary, cached);
  return cached;
}

async function build(program: GoProgram, binary: string, target: string): Promise<void> {
  const { purpose, name, module, version } = program;
  await mkdir(toolsFolder(), { recursive: true });
  const scratch = await mkdtemp(join(toolsFolder(), 'build-'));
  console.error(`Building ${purpose} for the tests (${name} ${version}) with Go, once: about a minute.`);
  try {
    await runGo(['install', '-ldflags', '-s -w', `${module}@${version}`], { env: { GOBIN: scratch } });
    await rename(join(scratch, binary), target);
  } catch (error) {
    throw new Error(`The tests need ${purpose} (${name}), at ${target}. ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs Go. If it fails, throws an error with its output. */
export async function runGo(
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<void> {
  try {
    await run('go', args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, CGO_ENABLED: '0', ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
    const reason =
      code === 'ENOENT'
        ? 'Install Go 1.24 or later so that "go" runs it.'
        : `"go ${args.join(' ')}" failed: ${stderr.trim() || String(error)}`;
    throw new Error(reason, { cause: error });
  }
}
