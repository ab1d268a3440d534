import { Readable } from 'node:stream';

/** Buffered bytes above which no more past events are read for a stream. */
const roomBytes = 64 * 1024;

/** A response body that stays open as long as the client reads it. */
export interface StreamBody {
  readonly readable: Readable;
  /** Appends a text unless the body has ended. Returns the number of bytes that wait to be read. */
  write(text: string): number;
  /** Resolves when there is room or the client has left. */
  readonly hasRoom: () => Promise<void>;
  /** Ends the body after what was written. */
  readonly end: () => void;
}

/** Creates a body. Calls `closed` once, when it has ended or its reader has left. */
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
