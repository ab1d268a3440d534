import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientClosedRequest, noteCut } from './cut-connections.js';
import { renderRefusal, type RefusalStatus } from './refusals.js';
import { usualPace, usualReadingPace, watchBody, watchReader, type Pace } from './slow-clients.js';

/** Bytes of a request's line and headers together. */
const maxHeaderSize = 16 * 1024;
/** Header fields of a request. */
const mostHeaders = 100;
/** Characters of a request's path with its query: a search for a thousand characters fits, all of them escaped. */
const longestUrl = 14 * 1024;
/** The status in the log of a request that is cut off because the process stops. */
const stoppedStatus = 503;
/** The open connections of each server. */
const connections = new WeakMap<Server, ReadonlySet<Duplex>>();
/** Milliseconds that a connection stays after an answer that closes it. */
const lingerMs = 1_000;
/** Milliseconds in which who reads an answer takes some of it. */
const readingMs = 60_000;

/**
 * An HTTP server for an application. Uploads may take any time, as long as they come; whoever is slow to say what is
 * asked, to send it or to take the answer is cut off.
 *
 * @param pace Of who sends a body.
 * @param readingPace Of who takes a content.
 */
export function createHttpServer(
  listener: RequestListener,
  pace: Pace = usualPace,
  readingPace: Pace = usualReadingPace,
): Server {
  const server = createServer(
    // What Node refuses by itself it answers without a body.
    {
      maxHeaderSize,
      requestTimeout: 0,
      headersTimeout: 30_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    (request, response) => {
      const { url = '', rawHeaders, socket, headers, httpVersion } = request;
      if (url.length > longestUrl) refuse(socket, 414);
      else if (rawHeaders.length / 2 > mostHeaders) refuse(socket, 431);
      else if (httpVersion === '1.1' && headers.host === undefined) refuse(socket, 400);
      else {
        watchBody(request, pace, () => refuse(socket, 408));
        watchReader(request, response, readingPace);
        listener(request, response);
      }
    },
  );
  const open = new Set<Duplex>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.timeout = readingMs;
  // One more than are taken, so that more than are taken are seen.
  server.maxHeadersCount = mostHeaders + 1;
  server.on('clientError', refuseConnection);
  server.on('checkExpectation', ({ socket }: IncomingMessage) => refuse(socket, 417));
  return server;
}

/** Resolves when the server accepts connections; rejects with the system's error, such as EADDRINUSE. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host === '*' ? undefined : host.replace(/^\[(.*)\]$/, '$1'), () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Accepts nothing more and resolves when every answer has gone out, or after `graceMs` when they are cut off. What was
 * being done for those that were cut off may not have ended then.
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  // A connection that is kept alive would hold the server open until it times out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    for (const socket of connections.get(server) ?? []) noteCut(socket, stoppedStatus);
    server.closeAllConnections();
  }, graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}

/** What is no HTTP is answered in the envelope too, as far as there is somebody to answer. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const statuses: Record<string, RefusalStatus> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  refuse(socket, statuses[error.code ?? ''] ?? 400);
  // A request that ends in its middle is one that its client gave up, though it may still listen.
  if (error.code === 'HPE_INVALID_EOF_STATE') noteCut(socket, clientClosedRequest);
}

/** Answers past the application, and closes the connection. */
function refuse(socket: Duplex, status: RefusalStatus): void {
  noteCut(socket, status);
  socket.end(renderRefusal(status));
  // Closed at once, the answer could be lost with what of the request is not read; never closed, the socket could leak.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
