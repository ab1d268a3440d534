import type { IncomingMessage } from 'node:http';

/** Milliseconds that an answer waits for the rest of a request. */
const patienceMs = 30_000;

/**
 * Reads the rest of a request and drops it, for an answer that is given early: clients that asked for the connection
 * to be closed would otherwise be cut off while they still send, and never see the answer. Those that keep the
 * connection get their answer at once, the rest is read meanwhile. Never rejects; gives up after 30 s.
 */
export async function drainBeforeClose(request: IncomingMessage): Promise<void> {
  const willClose = request.httpVersion === '1.0' || /\bclose\b/i.test(request.headers.connection ?? '');
  if (!willClose || request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', end).once('close', end).once('error', end);
    request.unpipe();
    request.resume();
  });
}
