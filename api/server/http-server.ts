import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import { clientClosedRequest, noteCut } from './cut-connections.js';
import { lingerAfter } from './linger.js';
import { renderRefusal, type RefusalStatus } from './refusals.js';
import { usualPace, usualReadingPace, watchBody, watchReader, type Pace } from './slow-clients.js';

/** The maximum size of a request line and headers in bytes. */
const maxHeaderSize = 16 * 1024;
/** The maximum number of header fields. */
const mostHeaders = 100;
/** The maximum length of a path with its query in characters: enough for a search of a thousand escaped characters. */
const longestUrl = 14 * 1024;
/** The logged status of a request that is cut off by shutdown. */
const stoppedStatus = 503;
/** The open connections of each server. */
const connections = new WeakMap<Server, ReadonlySet<Duplex>>();
/** Milliseconds that a connection stays open after a response that the application does not send. */
const refusedMs = 1_000;
/** Milliseconds within which a client must read part of a response. */
const readingMs = 60_000;

/**
 * Creates an HTTP server for an application. Uploads may take any time while data arrives. Clients that send a request
 * or read its response too slowly are disconnected.
 *
 * @param pace The minimum pace of clients that send a body.
 * @param readingPace The minimum pace of clients that read content.
 */
export function createHttpServer(
  listener: RequestListener,
  pace: Pace = usualPace,
  readingPace: Pace = usualReadingPace,
): Server {
  const server = createServer(
    // Node answers the requests that it rejects itself without a body.
    {
      maxHeaderSize,
      requestTimeout: 0,
      headersTimeout: 30_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    (request, response) => {
      const { url = '', rawHeaders, socket, headers, httpVersion } = request;
      const target = readTarget(url);
      if (url.length > longestUrl) refuse(socket, 414);
      else if (target === null) refuse(socket, 400);
      else if (rawHeaders.length / 2 > mostHeaders) refuse(socket, 431);
      else if (hostsOf(rawHeaders) > 1 || (httpVersion === '1.1' && headers.host === undefined))
        refuse(socket, 400);
      else {
        request.url = target;
        watchBody(request, pace, () => refuse(socket, 408));
        watchReader(request, response, readingPace);
        lingerAfter(request);
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
  // Allow one more than the limit, so that exceeding it can be detected.
  server.maxHeadersCount = mostHeaders + 1;
  server.on('clientError', refuseConnection);
  // Without this, Node closes the connection of a CONNECT request without a response.
  server.on('connect', (_request, socket) => {
    // Node no longer listens for its errors.
    socket.on('error', () => socket.destroy());
    refuse(socket, 400);
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage) => refuse(socket, 417));
  return server;
}

/** The number of Host lines; Node keeps the first one (RFC 9112 §3.2). */
function hostsOf(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
}

/**
 * Returns the path and query of a request's target, which may be a whole URL (RFC 9112 §3.2.2); null if it is neither.
 * Koa throws when it reads the path of some invalid targets, also where nothing catches that.
 */
function readTarget(url: string): string | null {
  if (url === '*' || /^\/[^#\s]*$/.test(url)) return url;
  const absolute = /^https?:\/\//i.test(url) ? parseUrl(url) : null;
  return absolute === null ? null : absolute.pathname + absolute.search;
}

/**
 * Connections that wait while the process is busy, capped by the system (Linux: net.core.somaxconn, 4096). At Node's
 * default of 511, half of a thousand clients that connect at once time out if the event loop is busy for ten seconds.
 */
const backlog = 4_096;

/** Resolves when the server accepts connections; rejects with the system's error, such as EADDRINUSE. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const address = host === '*' ? {} : { host: host.replace(/^\[(.*)\]$/, '$1') };
    server.listen({ ...address, port, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Stops accepting connections and resolves when all responses are sent, or after `graceMs`, when the rest are cut off.
 * Handlers of those requests may still be running.
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  // An idle keep-alive connection would hold the server open until it times out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    for (const socket of connections.get(server) ?? []) noteCut(socket, stoppedStatus);
    server.closeAllConnections();
  }, graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Answers invalid HTTP with the error body too, if the connection is still writable. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const statuses: Record<string, RefusalStatus> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  refuse(socket, statuses[error.code ?? ''] ?? 400);
  // An incomplete request means that its client gave up, though it may still listen.
  if (error.code === 'HPE_INVALID_EOF_STATE') noteCut(socket, clientClosedRequest);
}

/** Responds without the application, and closes the connection. */
function refuse(socket: Duplex, status: RefusalStatus): void {
  // A response has already closed it.
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  noteCut(socket, status);
  socket.end(renderRefusal(status));
  // Closing immediately could lose the response while request data is unread; never closing could leak the socket.
  setTimeout(() => socket.destroy(), refusedMs).unref();
}
