import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';

import { parseUrl } from '@knowledge-warehouse/plugin/protocol';

/** Hop-by-hop headers, which are not forwarded (RFC 9110 §7.6.1). */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
];
const safeMethods = ['GET', 'HEAD'];
const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;
/** The only cookie of the Web UI; other cookies of this host belong to other services. */
const ownCookie = /^_csrf=/;

/**
 * Why a request is rejected, or null. A page of another site may reach this port under its own host name, resolved to
 * this machine (DNS rebinding), or send requests that need no CORS preflight.
 */
export function refusalOf(method: string, headers: IncomingHttpHeaders): string | null {
  const { host = '', origin } = headers;
  if (!loopback.test(host)) return 'The Temporal Web UI is served only at 127.0.0.1 and localhost.';
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const isVisit = safeMethods.includes(method) && headers['sec-fetch-mode'] === 'navigate';
  const isForeign = !['same-origin', 'none'].includes(site) && !isVisit;
  const isOwn = origin !== undefined && parseUrl(origin)?.host === host;
  if (isForeign || (origin !== undefined && !isOwn))
    return 'Pages of another origin may not use the Temporal Web UI.';
  if (!safeMethods.includes(method) && !isOwn)
    return 'Only the pages of the Temporal Web UI may make changes.';
  return null;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the Web UI at `target`, which does not check the Host header, on a port of 127.0.0.1, and only forwards
 * allowed requests. Rejects if the port is taken.
 */
export async function startUiProxy(port: number, target: Address): Promise<{ close(): void }> {
  const server = createServer((incoming, response) => {
    const refusal = refusalOf(incoming.method ?? '', incoming.headers);
    if (refusal === null) pass(incoming, response, target);
    else answer(response, 403, refusal);
  });
  await once(server.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening');
  server.on('error', () => undefined).unref();
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: Address): void {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ ...target, method, path, headers: headersFor(headers, target) }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, withoutConnection(answered.headers));
    answered.pipe(response);
    answered.on('error', () => response.destroy());
  });
  outgoing.on('error', () => {
    if (response.headersSent) response.destroy();
    else answer(response, 502, 'The Temporal Web UI does not answer.');
  });
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function headersFor(headers: IncomingHttpHeaders, target: Address): OutgoingHttpHeaders {
  const { cookie = '', ...rest } = withoutConnection(headers);
  const own = String(cookie)
    .split(/; */)
    .filter((each) => ownCookie.test(each));
  return {
    ...rest,
    host: `${target.host}:${target.port}`,
    ...(own.length > 0 && { cookie: own.join('; ') }),
  };
}

function withoutConnection(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
