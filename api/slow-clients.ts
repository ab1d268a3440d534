import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is asked of clients in time. */
export interface Pace {
  /** Milliseconds over which the bytes of a body are counted. */
  readonly windowMs: number;
  /** Bytes that come at least in each window, while we are ready to take them. */
  readonly leastBytes: number;
}

/** A body of any length may take any time, as long as 100 bytes come per second. */
export const usualPace: Pace = { windowMs: 30_000, leastBytes: 3_000 };

/**
 * Watches a request while its body comes, and calls `refuse` once when its sender is slower than the pace. Time in
 * which nothing is read here, because what the bytes go into is slow, is not the sender's.
 */
export function watchBody(request: IncomingMessage, pace: Pace, refuse: (socket: Duplex) => void): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    const isWaiting = request.readableLength < request.readableHighWaterMark;
    if (request.complete || !isWaiting || came >= pace.leastBytes) return;
    stop();
    refuse(socket);
  }, pace.windowMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

/** Cuts off who has not read a byte of an answer when the socket's time-out strikes; waiting for us is no fault. */
export function watchReader({ socket }: IncomingMessage, response: ServerResponse): void {
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
