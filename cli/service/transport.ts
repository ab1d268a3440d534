import type { Readable } from 'node:stream';

import { multipartOf, Unreachable, type MultipartBody, type Transport } from '@knowledge-warehouse/client';
import { Agent, EnvHttpProxyAgent, Pool, request, type Dispatcher } from 'undici';

import { isLoopback } from './address.js';
import { readProxies } from './environment.js';

/** Milliseconds without progress after which a response has failed. */
const answerMs = 60_000;
/** After a file has arrived, the service may still have to store it elsewhere. */
const uploadAnswerMs = 600_000;
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
]);

/** Connects `kw` to a service with its own connections, or through the proxy named in the environment. */
export function createTransport(url: string): {
  readonly transport: Transport;
  readonly close: () => Promise<void>;
} {
  // Uses HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Services on this machine never use the proxy.
  const dispatcher = isLoopback(url)
    ? new Agent()
    : new EnvHttpProxyAgent({ ...readProxies(), clientFactory });
  return {
    close: () => dispatcher.destroy(),
    async transport(sent) {
      const form = typeof sent.body === 'object' && sent.body !== null ? multipartOf(sent.body) : null;
      try {
        const answer = await request(sent.url, {
          method: sent.method,
          dispatcher,
          headers: {
            ...sent.headers,
            ...(form && { 'content-type': form.type, 'content-length': String(form.length) }),
          },
          body: form === null ? (sent.body as string | null) : toBody(form),
          headersTimeout: form === null ? answerMs : uploadAnswerMs,
          bodyTimeout: answerMs,
          signal: sent.signal,
        });
        return toResponse(answer, url);
      } catch (error) {
        throw explained(error, url);
      }
    },
  };
}

/**
 * Makes the connections to a proxy. If a proxy cuts off a CONNECT, undici 7 repeats it without a pause and without an end
 * (https://github.com/nodejs/undici/issues/3897), unless the error has another code than the one for closed sockets.
 */
function clientFactory(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (to: Dispatcher.ConnectOptions) =>
      connect(to).catch((cause: unknown) => {
        if ((cause as { code?: string }).code !== 'UND_ERR_SOCKET') throw cause;
        const error = new Error(`the proxy ${origin.host} closed the connection`, { cause });
        throw Object.assign(error, { code: 'UND_ERR_PRX_CONN' });
      }),
  });
}

// undici accepts any iterable, but its types only allow streams.
const toBody = (form: MultipartBody): Readable => form.read() as unknown as Readable;

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData, url: string): Response {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = statusCode !== 204 && statusCode !== 304;
  if (!hasBody) body.resume();
  return new Response(hasBody ? toStream(body, url) : null, { status: statusCode, headers: list });
}

/** A body that reports failures as Unreachable. */
function toStream(body: Dispatcher.ResponseData['body'], url: string): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          controller.error(explained(error, url));
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** Converts connection failures to Unreachable and rethrows everything else. */
function explained(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const codes = [error, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])].map(
    (one) => (one as NodeJS.ErrnoException).code,
  );
  const code = codes.find((one) => one !== undefined);
  const isConnection =
    code !== undefined &&
    (/^(UND_ERR_(?!ABORTED|INVALID_ARG|REQ_)|HPE_)/.test(code) || isSystemCode(error, code));
  return isConnection ? new Unreachable(url, neverSent.has(code), error) : error;
}

/** Whether it is an error of a socket, DNS or TLS. File errors have a path. */
function isSystemCode(error: Error, code: string): boolean {
  if ((error as NodeJS.ErrnoException).path !== undefined) return false;
  return /^(E[A-Z]+|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+|ERR_TLS_[A-Z_]+|ERR_SSL_[A-Z_]+)$/.test(
    code,
  );
}
