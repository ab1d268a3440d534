import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Attempt, Reply } from './attempt.js';
import { isJsonType, notJson, refuse } from './replies.js';
import { recordReport, takeReport } from './take-report.js';
import { takeUpload } from './take-upload.js';

/** A request without the token of an attempt. */
export interface Stray {
  readonly request: string;
  readonly fault: string;
}

/** A stand-in for Core that serves inputs and accepts reports while a worker is checked. */
export interface FakeCore {
  /** Its base URL as the worker sees it, without a trailing slash. */
  readonly url: string;
  readonly attempts: readonly Attempt[];
  readonly strays: readonly Stray[];
  add(attempt: Attempt): void;
  /** Records a worker's answer to a step that is a report. */
  recordAnswer(attempt: Attempt, body: Buffer): void;
  /** Waits until `look`, called whenever a worker did something, returns a value; undefined after `withinMs`. */
  until<T>(look: () => T | undefined, withinMs: number): Promise<T | undefined>;
  /** Makes `until` call `look` again. */
  nudge(): void;
  close(): Promise<void>;
}

export interface FakeCoreOptions {
  /** The address to listen on; port 0 for a free one. */
  readonly host: string;
  readonly port: number;
  /** The URL at which the worker reaches it, if that is not the address it listens on. */
  readonly publicUrl: string | undefined;
  /** Answers worker requests that do not concern an attempt; undefined if there is no such endpoint. */
  readonly serve?: (request: ControlRequest) => Reply | undefined;
}

/** A request that does not concern an attempt's resource. */
export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  /** The bearer token; undefined if there is none. */
  readonly bearer: string | undefined;
  readonly body: Buffer;
}

const paths = {
  report: /^\/api\/v1\/internal\/artifacts\/([^/]+)$/,
  upload: /^\/api\/v1\/internal\/artifacts\/([^/]+)\/uploads$/,
  source: /^\/api\/v1\/internal\/resources\/([^/]+)\/source$/,
  input: /^\/api\/v1\/internal\/resources\/([^/]+)\/inputs\/([^/]+)$/,
};

const readRefusals = { 404: 'NOT_FOUND', 409: 'ATTEMPT_CLOSED', 500: 'INTERNAL' } as const;

/** Starts the server. Rejects if it cannot listen on the address. */
export async function startFakeCore(options: FakeCoreOptions): Promise<FakeCore> {
  const attempts: Attempt[] = [];
  const strays: Stray[] = [];
  const changes = new EventEmitter().setMaxListeners(0);

  const server = createServer((request, response) => {
    void handle(request)
      .then((reply) => send(response, reply))
      .catch(() => response.destroy())
      .finally(() => changes.emit('change'));
  });

  async function handle(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://core');
    const is = (method: string, pattern: RegExp): RegExpExecArray | null =>
      request.method === method ? pattern.exec(pathname) : null;
    const report = is('POST', paths.report);
    const upload = is('PUT', paths.upload);
    const source = is('GET', paths.source);
    const input = is('GET', paths.input);
    const resourceId = (report ?? upload ?? source ?? input)?.[1];
    const body = await buffer(request);
    const mediaType = request.headers['content-type'] ?? '';
    if (resourceId === undefined) {
      if (body.byteLength > 0 && !isJsonType(mediaType)) {
        const fault = `with the Content-Type ${mediaType || 'missing'}, not application/json`;
        strays.push({ request: `${request.method} ${pathname}`, fault });
        return notJson();
      }
      const served = options.serve?.({
        method: request.method ?? '',
        path: pathname,
        bearer: bearerOf(request),
        body,
      });
      if (served !== undefined) return served;
      strays.push({ request: `${request.method} ${pathname}`, fault: 'Core has no such endpoint' });
      return refuse(404, 'NOT_FOUND', 'There is nothing here.');
    }
    const admitted = admit(request, `${request.method} ${pathname}`, resourceId);
    if ('status' in admitted) return admitted;
    if (report !== null) return takeReport(admitted, body, mediaType);
    if (upload !== null) return takeUpload(admitted, searchParams, body);
    return await read(admitted, input?.[2], request.headers.range);
  }

  /** Returns the attempt whose token the request carries, or a refusal. */
  function admit(request: IncomingMessage, what: string, resourceId: string): Attempt | Reply {
    const token = bearerOf(request);
    const attempt = attempts.find(({ message }) => message.callback.token === token);
    if (attempt?.message.resource.id === resourceId) return attempt;
    const fault = token === undefined ? 'without a bearer token' : 'with a token that is not for the attempt';
    strays.push({ request: what, fault });
    if (attempt === undefined) return refuse(401, 'UNAUTHENTICATED', 'The token is missing or wrong.');
    return refuse(403, 'FORBIDDEN', 'The token is for another resource.');
  }

  async function read(attempt: Attempt, artifactId: string | undefined, range = ''): Promise<Reply> {
    attempt.reads.push(artifactId ?? 'source');
    changes.emit('change');
    const status = await attempt.behaviour.onRead?.(attempt);
    if (status !== undefined && status !== 'BROKEN')
      return refuse(status, readRefusals[status], 'It cannot be read.');
    const index = attempt.message.inputs.findIndex(({ artifact_id }) => artifact_id === artifactId);
    const { source, inputs } = attempt.material;
    const content = artifactId === undefined ? source : inputs[index];
    if (content === undefined) return refuse(404, 'NOT_FOUND', 'There is no such input.');
    const headers = { 'content-type': content.media_type };
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const size = content.bytes.byteLength;
    if (status === 'BROKEN') {
      const half = content.bytes.subarray(0, size / 2);
      return { status: 200, body: half, headers: { ...headers, 'content-length': String(size + 1) } };
    }
    if (first === '' || Number(first) >= size) return { status: 200, body: content.bytes, headers };
    const part = content.bytes.subarray(Number(first), last === '' ? size : Number(last) + 1);
    const contentRange = `bytes ${first}-${Number(first) + part.byteLength - 1}/${size}`;
    return { status: 206, body: part, headers: { ...headers, 'content-range': contentRange } };
  }

  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;

  return {
    url: (options.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, ''),
    attempts,
    strays,
    add: (attempt) => void attempts.push(attempt),
    recordAnswer(attempt, body) {
      recordReport(attempt, body, 'answer');
      changes.emit('change');
    },
    async until(look, withinMs) {
      const patience = AbortSignal.timeout(withinMs);
      for (;;) {
        const seen = look();
        if (seen !== undefined || patience.aborted) return seen;
        await once(changes, 'change', { signal: patience }).catch(() => undefined);
      }
    },
    nudge: () => void changes.emit('change'),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (Buffer.isBuffer(body)) {
    response.writeHead(status, { 'content-length': body.byteLength, ...headers });
    if (headers?.['content-length'] === undefined) response.end(body);
    else response.write(body, () => response.destroy());
  } else {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body));
  }
}
