import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** host and port of a text such as `127.0.0.1:9464` or `[::1]:9464`. */
export function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return {
    host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.slice(colon + 1)),
  };
}

/**
 * Serves what a registry holds as `/metrics`, for a process that has no other HTTP face. It asks nobody who they are.
 * Rejects with the system's error, such as EADDRINUSE.
 */
export async function serveMetrics(registry: Registry, address: string, log: Logger): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isThere = new URL(request.url ?? '/', 'http://worker').pathname === '/metrics';
    if (!isThere || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isThere ? 405 : 404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
  server.requestTimeout = 10_000;
  const { host, port } = splitAddress(address);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
