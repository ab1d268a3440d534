import type { Readable } from 'node:stream';

import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';

import { isLoopback } from './address.js';
import { toApiError, Unreachable } from './api-error.js';
import type { Service } from './find-service.js';
import { withRetries, type Patience } from './retries.js';

/** A body that can be sent again: each try reads it anew. */
export interface RequestBody {
  readonly type: string;
  /** Bytes. */
  readonly length: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, unless it is a RequestBody. */
  readonly json?: unknown;
  readonly body?: RequestBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it does no harm to send it twice. GETs, and requests with an Idempotency-Key, are such. */
  readonly repeatable?: boolean;
  readonly patience?: Patience;
  /** Milliseconds that an answer may make no progress. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
}

export interface Answer<T> {
  readonly status: number;
  readonly etag: string | null;
  readonly body: T;
}

/** An answer that is read as it comes. */
export interface OpenAnswer {
  /** Its media type. */
  readonly type: string;
  /** Throws Unreachable when it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends it, for who does not want to read it. */
  readonly discard: () => void;
}

/** The API of a service. Every method throws ApiError for what is no success, and Unreachable. */
export interface Client {
  readonly service: Service;
  /** Calls a path below /api/v1 and reads the answer's JSON; null where it is empty. */
  call<T>(method: Dispatcher.HttpMethod, path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** The same, for an answer that is read as it comes. */
  open(path: string, options?: RequestOptions): Promise<OpenAnswer>;
  close(): Promise<void>;
}

const answerMs = 60_000;
/** A file may be stored elsewhere first, once it has arrived. */
const uploadAnswerMs = 600_000;
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** @param signal Ends every request; they then reject with its reason. */
export function createClient(
  service: Service,
  options: { readonly signal: AbortSignal; readonly patience: Patience },
): Client {
  // Knows HTTP_PROXY, HTTPS_PROXY and NO_PROXY; what runs on this machine is never behind a proxy.
  const dispatcher = isLoopback(service.url) ? new Agent() : new EnvHttpProxyAgent();

  const send = async (
    method: Dispatcher.HttpMethod,
    path: string,
    { query = {}, json, body, headers, silenceMs, signal }: RequestOptions,
  ): Promise<Dispatcher.ResponseData> => {
    const url = new URL(`${service.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const content: Pick<RequestBody, 'type'> & Partial<RequestBody> = body ?? { type: 'application/json' };
    const hasContent = body !== undefined || json !== undefined;
    try {
      const answer = await request(url, {
        method,
        dispatcher,
        headers: {
          authorization: `Bearer ${service.apiKey}`,
          ...(hasContent && { 'content-type': content.type }),
          ...(body !== undefined && { 'content-length': String(body.length) }),
          ...headers,
        },
        body: body === undefined ? (json === undefined ? null : JSON.stringify(json)) : toBody(body),
        headersTimeout: silenceMs ?? (body === undefined ? answerMs : uploadAnswerMs),
        bodyTimeout: silenceMs ?? answerMs,
        signal: signal ?? options.signal,
      });
      if (answer.statusCode < 300) return answer;
      throw toApiError(answer.statusCode, one(answer.headers['retry-after']), await answer.body.text());
    } catch (error) {
      throw explained(error, service.url);
    }
  };

  const retrying = async <T>(method: string, request: RequestOptions, work: () => Promise<T>): Promise<T> => {
    const repeatable =
      request.repeatable ?? (method === 'GET' || request.headers?.['idempotency-key'] !== undefined);
    const { patience = options.patience, signal = options.signal } = request;
    return await withRetries(work, { ...patience, repeatable, signal });
  };

  return {
    service,
    call: (method, path, request = {}) =>
      retrying(method, request, async () => {
        const answer = await send(method, path, request);
        const text = await answer.body.text().catch((error: unknown) => {
          throw explained(error, service.url);
        });
        return {
          status: answer.statusCode,
          etag: one(answer.headers.etag) ?? null,
          body: (text === '' ? null : JSON.parse(text)) as never,
        };
      }),
    open: (path, request = {}) =>
      retrying('GET', request, async () => {
        const { headers, body } = await send('GET', path, request);
        return {
          type: one(headers['content-type']) ?? '',
          body: explainedWhole(body, service.url),
          discard: () => void body.destroy(),
        };
      }),
    close: () => dispatcher.destroy(),
  };
}

/** Lets a change be carried out only on what was seen. */
export const ifMatch = (etag: string | null): Pick<RequestOptions, 'headers'> =>
  etag === null ? {} : { headers: { 'if-match': etag } };

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

// undici takes any iterable; its types know the streams alone.
const toBody = (body: RequestBody): Readable => body.read() as unknown as Readable;

async function* explainedWhole(body: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw explained(error, url);
  }
}

/** Failures of the connection become Unreachable; everything else stays. */
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

/** What sockets, the DNS and TLS fail with; errors of files have a path. */
function isSystemCode(error: Error, code: string): boolean {
  if ((error as NodeJS.ErrnoException).path !== undefined) return false;
  return /^(E[A-Z]+|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+|ERR_TLS_[A-Z_]+|ERR_SSL_[A-Z_]+)$/.test(
    code,
  );
}
