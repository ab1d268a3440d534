import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** The headers of a stream: no proxy in between may cache, buffer or compress it. */
export const streamHeaders = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/** The maximum number of bytes that wait for a stream's reader; slower readers are disconnected. */
const mostWaitingBytes = 1024 * 1024;
/** Buffered bytes above which no more past events are read for a stream. */
const roomBytes = 64 * 1024;

/** A response body that stays open as long as the client reads it. */
export interface StreamBody {
  readonly readable: Readable;
  /** Appends a text unless the body has ended. Disconnects a reader that is too slow, and then returns false. */
  write(text: string): boolean;
  /** Resolves when there is room or the client has left. */
  readonly hasRoom: () => Promise<void>;
  /** Ends the body after what was written. */
  readonly end: () => void;
}

/** Creates the body of a response. Calls `closed` once, when it has ended or its reader has left. */
export function createStreamBody(response: ServerResponse, closed: () => void): StreamBody {
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
      if (readable.readableLength + response.writableLength <= mostWaitingBytes) return true;
      response.destroy();
      readable.destroy();
      return false;
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
