import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';

import { messageOf } from '../../core/errors.js';
import { dataPaths, type DataPaths } from './data-paths.js';
import { openStatusFile, writeFileAtomically } from './files.js';
import { lockFolder } from './process-lock.js';
import { StartError } from './start-error.js';

/** The running processes and addresses, as stored in `stack.json`. */
export interface StackDescription {
  readonly api: string;
  readonly temporal_address: string;
  readonly temporal_namespace: string;
  readonly temporal_ui: string | null;
  readonly database_url: string;
  /** Process ids by name. */
  readonly processes: Readonly<Record<string, number>>;
}

/** A data directory that this process owns until it is released. */
export interface DataDirectory {
  readonly paths: DataPaths;
  readSecret(): string;
  /** The admin key from an earlier start, or null. */
  readAdminKey(): string | null;
  writeAdminKey(key: string): void;
  /** Never throws: if the disk is full, the file is written once there is room. */
  writeStack(stack: StackDescription): void;
  /** Removes `stack.json` and unlocks the directory. */
  release(): void;
}

/**
 * Creates the data directory if necessary and locks it for this process. A new or empty directory is made inaccessible
 * to other users, except that under root other users may traverse it, since PostgreSQL runs as one of them.
 *
 * @throws StartError if another process has locked it, or it cannot be created
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
    throw new StartError(`KW_DATA_DIR: ${root} is in use by another "npm start" (process ${lock.heldBy}).`);
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

/** The admin key stored in a data directory, or null. */
export function readAdminKey(root: string): string | null {
  const { adminKey } = dataPaths(root);
  return existsSync(adminKey) ? readFileSync(adminKey, 'utf8').trim() : null;
}

/** The description in a data directory's `stack.json`, or null if nothing is running. */
export function readStack(root: string): StackDescription | null {
  const { stack } = dataPaths(root);
  return existsSync(stack) ? (JSON.parse(readFileSync(stack, 'utf8')) as StackDescription) : null;
}
