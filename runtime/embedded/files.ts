import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Milliseconds after which a file that could not be written is tried again. */
const retryMs = 1_000;

/**
 * Replaces a file as a whole: readers, and a start after a crash, find the old text or the new. Its mode is 600. Throws
 * what the file system throws; the old text stays then.
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

/** A file that describes the state of this process while it runs. */
export interface StatusFile {
  /** Replaces its text; on a disk that is full, as soon as there is room. Never throws. */
  write(content: string): void;
  /** Writes nothing any more. */
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
