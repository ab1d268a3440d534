import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Replaces a file as a whole: readers, and a start after a crash, find the old text or the new. Its mode is 600. */
export function writeFileAtomically(path: string, content: string): void {
  const partial = `${path}.${process.pid}.new`;
  const file = openSync(partial, 'w', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}
