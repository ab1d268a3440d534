import type { IncomingMessage } from 'node:http';

/** Milliseconds that a response waits for the rest of a request. */
const patienceMs = 30_000;

/**
 * Reads and drops the rest of a request before an early response. Without this, clients that asked to close the
 * connection would be cut off while sending, and never see the response. Keep-alive clients get their response
 * immediately, and the rest is read meanwhile. Never rejects; gives up after 30 s.
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
