import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What is asked of clients in time. */
export interface Pace {
  /** Milliseconds over which bytes are counted. */
  readonly windowMs: number;
  /** Bytes that are sent, or taken, at least in each window, while we are ready for them. */
  readonly leastBytes: number;
}

/** A body of any length may take any time, as long as 100 bytes come per second. */
export const usualPace: Pace = { windowMs: 30_000, leastBytes: 3_000 };

/**
 * A content of any length may take any time, as long as 500 bytes are taken per second. Of what is taken we see whole chunks
 * of it alone, which have up to 64 KiB: hence the longer window.
 */
export const usualReadingPace: Pace = { windowMs: 120_000, leastBytes: 60_000 };

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

/**
 * Cuts off who has not read a byte of an answer when the socket's time-out strikes, or reads a content slower than the pace:
 * meanwhile it holds a connection to the object store. Waiting for us is no fault. Streams of events have bounds of their own.
 */
export function watchReader({ socket }: IncomingMessage, response: ServerResponse, pace: Pace): void {
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  response.once('pipe', () => {
    if (!String(response.getHeader('content-type')).startsWith('text/event-stream'))
      watchContent(socket, response, pace);
  });
}

function watchContent(socket: Socket, response: ServerResponse, pace: Pace): void {
  const countTaken = (): number => socket.bytesWritten - socket.writableLength;
  let seen = countTaken();
  let wasWaiting = false;
  const timer = setInterval(() => {
    const taken = countTaken() - seen;
    seen += taken;
    const isWaiting = socket.writableLength > 0;
    // Only what waited at both ends of a window tells of the reader: in between the store may have been slow.
    if (wasWaiting && isWaiting && taken < pace.leastBytes) socket.destroy();
    wasWaiting = isWaiting;
  }, pace.windowMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}
