import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The minimum speed of clients. */
export interface Pace {
  /** Milliseconds over which bytes are counted. */
  readonly windowMs: number;
  /** The minimum number of bytes that a client must send or read in each window while we are ready for them. */
  readonly leastBytes: number;
}

/** Allows any duration as long as 100 bytes arrive per second. */
export const usualPace: Pace = { windowMs: 30_000, leastBytes: 3_000 };

/**
 * Allows any duration as long as 500 bytes are read per second. We only see whole chunks of up to 64 KiB being read,
 * hence the longer window.
 */
export const usualReadingPace: Pace = { windowMs: 120_000, leastBytes: 60_000 };

/**
 * Watches a request while its body arrives, and calls `refuse` once if the sender is slower than the pace. Does not
 * count time in which we do not read because the destination is slow.
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
 * Disconnects a client that has read no byte of a response by the socket's timeout, or reads content slower than the
 * pace, because it holds a connection to the object store. Time spent waiting for us does not count. Event streams have
 * their own limits.
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
    // Measure only if data waited at both ends of a window: otherwise the store may have been slow.
    if (wasWaiting && isWaiting && taken < pace.leastBytes) socket.destroy();
    wasWaiting = isWaiting;
  }, pace.windowMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}
