import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/** Delay before retrying a failed write, in milliseconds. */
const retryMs = 1_000;

/**
 * Replaces a file atomically: readers, and a start after a crash, see either the old or the new text. Its mode is 600.
 * Throws file system errors, leaving the old text.
 */
export function writeFileAtomically(path: string, content: string): void {
  const partial = `${path}.${process.pid}.new`;
  try {
    const file = openSync(partial, 'w', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** A file that describes this process's state while it runs. */
export interface StatusFile {
  /** Replaces the text; if the disk is full, retries until there is room. Never throws. */
  write(content: string): void;
  close(): void;
}

export function openStatusFile(path: string): StatusFile {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const write = (content: string): void => {
    clearTimeout(timer);
    if (closed) return;
    try {
      writeFileAtomically(path, content);
    } catch {
      timer = setTimeout(write, retryMs, content).unref();
    }
  };
  return {
    write,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** The JSON value in a file; null if it cannot be read. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** Whether a path leads to a file that this process may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
