import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Environment } from '../../settings/settings.js';
import { isExecutable } from '../files.js';
import { StartError } from '../start-error.js';
import {
  cachedTemporal,
  fillTemporalCache,
  sqliteVersion,
  temporalCacheFolder,
  temporalCliVersion,
} from './cache.js';

const goPackage = 'github.com/temporalio/cli/cmd/temporal';

/** A download that receives nothing for this long is abandoned. */
const downloadStallMs = 15_000;

/** Called with the current action if it takes long. */
export type OnProgress = (message: string) => void;

/**
 * The path of a Temporal CLI to run a server with: the one TEMPORAL_CLI_PATH names, one on the PATH, one in the user's
 * cache, one that the Temporal SDK downloads, or one built with Go. The last two are stored in the cache.
 *
 * @throws StartError if none can be found, with all possible remedies; or the reason of `signal`
 */
export async function findTemporal(
  env: Environment,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string> {
  const chosen = env['TEMPORAL_CLI_PATH']?.trim() ?? '';
  if (chosen !== '') {
    if (await runs(chosen)) return chosen;
    throw new StartError(`TEMPORAL_CLI_PATH: ${chosen} is not a Temporal CLI that runs on this machine.`);
  }
  const folder = temporalCacheFolder(env);
  for (const path of [...onPath('temporal', env), ...cachedTemporal(folder)])
    if (await runs(path)) return path;

  const made = await fillTemporalCache(
    folder,
    () => onProgress('waiting for another "npm start" to fetch the Temporal CLI'),
    signal,
    async (scratch) =>
      (await download(scratch, onProgress, signal)) ?? (await build(scratch, env, onProgress, signal)),
  );
  if (made !== null) return made;
  throw new StartError(
    `There is no Temporal server to start: none on the PATH, none in ${folder}, the download failed, and Go is not installed to build one. Install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_CLI_PATH to it, or set TEMPORAL_ADDRESS to a running server.`,
  );
}

/** Whether this program runs on this machine and identifies itself as temporal. */
async function runs(path: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 20_000 });
    return stdout.includes('temporal version');
  } catch {
    return false;
  }
}

/** The programs of this name on the PATH, in the order of a shell's lookup. */
function onPath(name: string, env: Environment): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

/** Lets the SDK download it. Null if that fails or stalls. */
async function download(
  scratch: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string | null> {
  onProgress(`downloading the Temporal CLI ${temporalCliVersion}`);
  const script = fileURLToPath(import.meta.url.replace('/temporal/binary.', '/temporal/download.'));
  const child = fork(script, [temporalCliVersion, scratch], { stdio: 'ignore', detached: true });
  const watching = new AbortController();
  const stalled = giveUpWhenStalled(child, scratch, watching.signal);
  const succeeded = await ended(child, signal);
  watching.abort();
  await stalled;
  if (!succeeded) return null;
  const file = readdirSync(scratch)
    .map((name) => join(scratch, name))
    .find(isExecutable);
  return file !== undefined && (await runs(file)) ? file : null;
}

async function giveUpWhenStalled(child: ChildProcess, folder: string, done: AbortSignal): Promise<void> {
  const size = (): number =>
    readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  try {
    for (let seen = -1, bytes = 0; bytes !== seen; bytes = size()) {
      seen = bytes;
      await sleep(downloadStallMs, undefined, { signal: done });
    }
    killGroup(child);
  } catch {
    // It has ended within the time limit.
  }
}

/**
 * Builds it with Go, using a newer SQLite: the one in v1.5.1 gets stuck permanently if a call is cancelled in the
 * middle of a query (decision 37). Null if Go is not installed.
 */
async function build(
  scratch: string,
  env: Environment,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string | null> {
  const [go] = onPath('go', env);
  if (go === undefined) return null;
  const what = `building the Temporal CLI ${temporalCliVersion} with Go; this happens once and takes some minutes`;
  onProgress(what);
  const program = join(scratch, 'temporal');
  const module = join(scratch, 'module');
  mkdirSync(module);
  let lastLine = '';
  let packages = 0;
  for (const args of [
    ['mod', 'init', 'temporal'],
    ['get', `${goPackage}@${temporalCliVersion}`, `modernc.org/sqlite@${sqliteVersion}`],
    ['build', '-v', '-ldflags', '-s -w', '-o', program, goPackage],
  ]) {
    const child = spawn(go, args, {
      env: { ...env, GOWORK: 'off' },
      cwd: module,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = chunk.split('\n').filter((line) => line !== '');
      lastLine = lines.at(-1) ?? lastLine;
      packages += lines.filter((line) => !line.startsWith('go: ')).length;
      onProgress(`${what} (${packages === 0 ? 'downloading its sources' : `${packages} packages compiled`})`);
    });
    if (!(await ended(child, signal))) {
      throw new StartError(`The Temporal CLI could not be built with Go: ${lastLine}`);
    }
  }
  return program;
}

/** Waits for a child to end and returns whether it succeeded; when the signal aborts, ends the child and throws. */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<boolean> {
  const abort = (): void => killGroup(child);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    const [code] = (await once(child, 'exit')) as [number | null];
    signal.throwIfAborted();
    return code === 0;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Kills a child and its descendants; both kinds of child are spawned as group leaders. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
