import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';

const mebibyte = 1024 * 1024;

/** Writes a file until its disk is full. */
export function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let chunk = mebibyte; chunk >= 1; chunk = Math.floor(chunk / 2)) {
      try {
        for (;;) writeSync(file, Buffer.alloc(chunk));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}
