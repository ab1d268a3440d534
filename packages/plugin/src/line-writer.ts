/** Bytes of lines that are kept while the destination takes none. */
const mostKept = 64 * 1024;

/** Where a log writes its lines. Nothing it does throws: a process does not end because its log cannot be written. */
export interface LineWriter {
  /** Writes a line; keeps it while the destination takes none, and loses it when no more can be kept. */
  write(line: string): void;
  /** Writes buffered content, as far as the destination accepts it. */
  flush(): void;
}

/**
 * Makes a writer that keeps whole lines in order, whatever the destination does in the middle of one.
 *
 * @param to `writeSome` writes bytes, returns how many it took, and throws when it takes none: the disk is full, the
 *   reader is slow or gone. `retryLater` calls `flush` some time later. `onLost` hears of each line that is lost, and
 *   `onRecovered` how many were lost once lines are written again.
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

/** A `retryLater` that comes back after some milliseconds, and at the end of the process, which it does not put off. */
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
