/** Maximum bytes of lines that are buffered while the destination accepts none. */
const mostKept = 64 * 1024;

/** Writes the lines of a log. Its methods never throw, since a failing log must not end the process. */
export interface LineWriter {
  /** Writes a line. Buffers it while the destination accepts none, and drops it if the buffer is full. */
  write(line: string): void;
  /** Writes buffered content, as far as the destination accepts it. */
  flush(): void;
}

/**
 * Creates a writer that keeps lines whole and in order, even if the destination fails in the middle of one.
 *
 * @param to `writeSome` writes bytes, returns how many were accepted, and throws if none were: the disk is full, or the
 * reader is slow or gone. `retryLater` calls `flush` some time later. `onLost` is called for each lost line, and
 * `onRecovered` with the number of lost lines once lines are written again.
 */
export function createLineWriter(to: {
  readonly writeSome: (bytes: Uint8Array) => number;
  readonly retryLater: (flush: () => void) => void;
  readonly onLost: () => void;
  readonly onRecovered: (lost: number) => void;
}): LineWriter {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  let lost = 0;
  let retries = false;

  const drain = (): void => {
    for (let line = kept[0]; line !== undefined; line = kept[0]) {
      const written = to.writeSome(line);
      bytes -= written;
      if (written === line.length) kept.shift();
      else kept[0] = line.subarray(written);
    }
  };
  const flush = (): void => {
    try {
      drain();
    } catch {
      if (retries) return;
      retries = true;
      to.retryLater(() => {
        retries = false;
        flush();
      });
      return;
    }
    if (lost === 0) return;
    const count = lost;
    lost = 0;
    to.onRecovered(count);
  };

  return {
    flush,
    write(line) {
      const added = Buffer.from(line);
      if (kept.length > 0 && bytes + added.length > mostKept) flush();
      if (kept.length > 0 && bytes + added.length > mostKept) {
        lost++;
        to.onLost();
        return;
      }
      kept.push(added);
      bytes += added.length;
      flush();
    },
  };
}

/** Returns a `retryLater` that flushes after `ms` or when the process exits, and does not keep the process alive. */
export function retryAfter(ms: number): (flush: () => void) => void {
  return (flush) => {
    const retry = (): void => {
      clearTimeout(timer);
      process.off('exit', retry);
      flush();
    };
    const timer = setTimeout(retry, ms).unref();
    process.once('exit', retry);
  };
}
