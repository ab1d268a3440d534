import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An external website, whose responses each test sets. */
export interface RemoteSite {
  /** The host:port, as listed in KW_URL_ALLOW. */
  readonly host: string;
  readonly url: string;
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

export async function startRemoteSite(): Promise<RemoteSite> {
  const server = createServer((request, response) => site.handle(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: RemoteSite = {
    host,
    url: `http://${host}`,
    handle: (_, response) => response.writeHead(404).end(),
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return site;
}
