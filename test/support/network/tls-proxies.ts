import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  connect as connectHttp2,
  createSecureServer,
  type ClientHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Authority } from '../servers/authority.js';

/** A TLS proxy in front of a server without TLS. */
export interface TlsProxy {
  /** host:port */
  readonly address: string;
  stop(): Promise<void>;
}

type Certificate = Authority['certificate'];

/** Starts a reverse proxy for HTTP, similar to nginx, that streams bodies and responses. */
export async function startHttpsProxy(options: {
  readonly certificate: Certificate;
  /** `http://host:port` of the server. */
  readonly target: () => string;
  /** The path below which it serves; everything else is 404. */
  readonly basePath?: string;
  /** Whether it strips this path from forwarded requests. */
  readonly takesPathOff?: boolean;
  readonly port?: number;
}): Promise<TlsProxy> {
  const { certificate, target, basePath = '', takesPathOff = false, port = 0 } = options;
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (!url.startsWith(basePath)) {
      outgoing.writeHead(404).end('another service');
      return;
    }
    const path = takesPathOff ? url.slice(basePath.length) || '/' : url;
    // No URL object, because clients sign the unmodified path.
    const { hostname, port: targetPort } = new URL(target());
    const forwarded = {
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': headers.host ?? '',
    };
    const sent = request(
      { host: hostname, port: targetPort, method, path, headers: { ...headers, ...forwarded } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  };
  return await listening(createHttpsServer(certificate, serve), port);
}

/** Starts a proxy for PostgreSQL's TLS negotiation: the client asks for TLS with eight bytes. */
export async function startPostgresTls(
  certificate: Certificate,
  target: { readonly host: string; readonly port: number },
): Promise<TlsProxy> {
  const serve = async (client: Socket): Promise<void> => {
    client.on('error', () => undefined);
    const [asked] = (await once(client, 'data')) as [Buffer];
    // SSLRequest. Reject clients that do not ask for TLS.
    if (asked.readInt32BE(4) !== 80877103) {
      client.destroy();
      return;
    }
    client.write('S');
    const secured = new TLSSocket(client, { isServer: true, ...certificate });
    const upstream = connect(target);
    for (const socket of [secured, upstream]) socket.on('error', () => undefined);
    secured.pipe(upstream).pipe(secured);
    secured.on('close', () => upstream.destroy());
    upstream.on('close', () => secured.destroy());
  };
  return await listening(createServer((client) => void serve(client).catch(() => client.destroy())));
}

/**
 * Starts a Temporal proxy like Temporal Cloud: with TLS, an API key, and without the service that registers search
 * attributes.
 */
export async function startTemporalTls(
  certificate: Certificate,
  target: string,
  apiKey: string,
): Promise<TlsProxy> {
  const connectUpstream = (): ClientHttp2Session =>
    connectHttp2(`http://${target}`).on('error', () => undefined);
  let upstream = connectUpstream();
  const server = createSecureServer({ ...certificate });
  server.on('session', (session) => session.on('error', () => undefined));
  const refuse = (stream: ServerHttp2Stream, code: number, message: string): void => {
    const grpc = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...grpc }, { endStream: true });
  };
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (headers.authorization !== `Bearer ${apiKey}`) {
      refuse(stream, 16, 'Request unauthorized.');
      return;
    }
    if (headers[':path']?.includes('OperatorService') === true) {
      refuse(stream, 7, 'Request unauthorized for OperatorService.');
      return;
    }
    const { authorization: _key, ...kept } = headers;
    // Temporal closes connections after some minutes.
    if (upstream.closed || upstream.destroyed) upstream = connectUpstream();
    const call = upstream.request({ ...kept, ':authority': target, ':scheme': 'http' });
    call.on('error', () => stream.destroy());
    call.on('response', (answer, flags) => {
      const isOver = (flags & 1) === 1;
      stream.respond(answer, { endStream: isOver, waitForTrailers: !isOver });
    });
    call.on('trailers', (trailers) => {
      stream.once('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end();
    });
    call.on('data', (part) => void stream.write(part));
    stream.on('close', () => call.close());
    stream.pipe(call);
  });
  const proxy = await listening(server);
  return {
    ...proxy,
    async stop() {
      upstream.destroy();
      await proxy.stop();
    },
  };
}

async function listening(server: Server, port = 0): Promise<TlsProxy> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('close', () => open.delete(socket)));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
