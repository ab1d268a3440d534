import { Readable } from 'node:stream';

/** Bytes up to which more of what happened before is read for a stream. */
const roomBytes = 64 * 1024;

/** The body of an answer that goes on for as long as somebody reads it. */
export interface StreamBody {
  readonly readable: Readable;
  /** Adds a text, unless it has ended; returns the bytes that wait to be taken. */
  write(text: string): number;
  /** Resolves when there is room, or nobody reads any more. */
  readonly hasRoom: () => Promise<void>;
  /** Ends it after what was written. */
  readonly end: () => void;
}

/** Makes one. `closed` is called once, when it has ended or its reader has gone. */
export function createStreamBody(closed: () => void): StreamBody {
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  let isFull = false;
  let isEnded = false;
  const readable = new Readable({
    highWaterMark: roomBytes,
    read() {
      isFull = false;
      wake();
    },
    destroy(error, callback) {
      isEnded = true;
      wake();
      closed();
      callback(error);
    },
  });
  return {
    readable,
    write(text) {
      if (!isEnded) isFull = !readable.push(text);
      return readable.readableLength;
    },
    hasRoom: async () => {
      if (isFull && !isEnded) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    end: () => {
      if (isEnded) return;
      isEnded = true;
      wake();
      readable.push(null);
    },
  };
}
