import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** An HTTP server for an application. Uploads may take any time; whoever is slow to say what is asked may not. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    { requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 65_000 },
    listener,
  );
  server.on('clientError', refuseConnection);
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

/** Accepts nothing more and resolves when every answer has gone out, or after `graceMs` when they are cut off. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  // A connection that is kept alive would hold the server open until it times out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}

/** What is no HTTP is answered in the envelope too, as far as there is somebody to answer. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  const status = statuses[error.code ?? ''] ?? 400;
  const body = JSON.stringify({
    error: { code: 'MALFORMED_BODY', message: 'This is not a proper HTTP request.', details: {} },
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      "X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'\r\n" +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
