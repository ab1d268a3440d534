import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Milliseconds that a connection stays open for the rest of a request. */
const patienceMs = 30_000;

/**
 * Keeps a connection open after the response that closes it, for up to 30 s, while the rest of the request arrives, which
 * is dropped. Closing with unread data resets a connection: a client that is still sending could lose the response.
 */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  const linger = (): void => {
    if (request.complete || request.destroyed) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    socket.end();
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.once('close', () => clearTimeout(timer));
    request.once('end', () => socket.destroy());
    request.unpipe();
    request.resume();
  };
  // Node calls this when it has sent a response that closes the connection.
  socket.destroySoon = linger;
  // An idle connection would keep its last request in memory.
  request.once('close', () => {
    if (socket.destroySoon === linger) Reflect.deleteProperty(socket, 'destroySoon');
  });
}
