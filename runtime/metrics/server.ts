import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';

/** Produces the content at a path. */
export type Page = () => Promise<{ readonly status: number; readonly type: string; readonly body: string }>;

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Splits an address such as `127.0.0.1:9464` or `[::1]:9464` into host and port. */
export function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return {
    host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.slice(colon + 1)),
  };
}

/** The metrics of a registry in Prometheus format. */
export function metricsPage(registry: Registry): Page {
  return async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() });
}

/**
 * Serves pages by path, for a process without another HTTP server. No authentication. Rejects with the system error,
 * such as EADDRINUSE.
 */
export async function servePages(
  pages: Readonly<Record<string, Page>>,
  address: string,
  log: Logger,
): Promise<PageServer> {
  const server = createServer((request, response) => {
    // A target such as `//` is not a URL and has no page.
    const pathname = parseUrl(request.url ?? '/', 'http://worker')?.pathname ?? '';
    const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
    if (page === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(page === undefined ? 404 : 405).end();
      return;
    }
    page().then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (error: unknown) => {
        log.warn({ err: error, path: pathname }, 'a page could not be created');
        response.writeHead(500).end();
      },
    );
  });
  server.requestTimeout = 10_000;
  const { host, port } = splitAddress(address);
  await once(server.listen(port, host), 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
