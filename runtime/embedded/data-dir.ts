import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';

import { messageOf } from '../../core/errors.js';
import { dataPaths, type DataPaths } from './data-paths.js';
import { openStatusFile, writeFileAtomically } from './files.js';
import { lockFolder } from './process-lock.js';
import { StartError } from './start-error.js';

/** What runs, as `stack.json` tells it. */
export interface StackDescription {
  readonly api: string;
  readonly temporal_address: string;
  readonly temporal_namespace: string;
  readonly temporal_ui: string | null;
  readonly database_url: string;
  /** Pids of the processes that run here. */
  readonly processes: Readonly<Record<string, number>>;
}

/** A data directory that is ours until it is released. */
export interface DataDirectory {
  readonly paths: DataPaths;
  readSecret(): string;
  /** The admin key that an earlier start left, or null. */
  readAdminKey(): string | null;
  writeAdminKey(key: string): void;
  /** Never throws: on a disk that is full it is written as soon as there is room. */
  writeStack(stack: StackDescription): void;
  /** Takes away what says that something runs, and lets others have the directory. */
  release(): void;
}

/**
 * Makes the data directory where there is none and takes it for this process alone. One that it makes, or finds
 * empty, is closed to other users; started by root they may pass through it, since PostgreSQL runs as one of them.
 *
 * @throws StartError when another process has it, or it cannot be made
 */
export async function openDataDirectory(root: string): Promise<DataDirectory> {
  try {
    mkdirSync(root, { recursive: true, mode: 0o755 });
    if (readdirSync(root).length === 0) chmodSync(root, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    throw new StartError(`KW_DATA_DIR: ${messageOf(error)}`, { cause: error });
  }
  const lock = await lockFolder(root);
  if ('heldBy' in lock) {
    throw new StartError(`KW_DATA_DIR: ${root} is in use by another start, process ${lock.heldBy}.`);
  }
  const paths = dataPaths(root);
  const stackFile = openStatusFile(paths.stack);
  return {
    paths,
    readSecret() {
      if (!existsSync(paths.secret))
        writeFileAtomically(paths.secret, `${randomBytes(32).toString('base64url')}\n`);
      return readFileSync(paths.secret, 'utf8').trim();
    },
    readAdminKey: () => readAdminKey(root),
    writeAdminKey: (key) => writeFileAtomically(paths.adminKey, `${key}\n`),
    writeStack: (stack) => stackFile.write(`${JSON.stringify(stack, null, 2)}\n`),
    release() {
      stackFile.close();
      rmSync(paths.stack, { force: true });
      lock.release();
    },
  };
}

/** The admin key that lies in a data directory, or null. */
export function readAdminKey(root: string): string | null {
  const { adminKey } = dataPaths(root);
  return existsSync(adminKey) ? readFileSync(adminKey, 'utf8').trim() : null;
}

/** What runs in a data directory according to its `stack.json`, or null when nothing does. */
export function readStack(root: string): StackDescription | null {
  const { stack } = dataPaths(root);
  return existsSync(stack) ? (JSON.parse(readFileSync(stack, 'utf8')) as StackDescription) : null;
}
