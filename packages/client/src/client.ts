import createOpenapiClient from 'openapi-fetch';
import type { Call, CallOptions, Client, Get, NewSource, Verb } from './api.js';
import { followEvents } from './changes.js';
import { ApiError, toApiError, Unreachable } from './errors.js';
import { waitForResource } from './follow-resources.js';
import { randomHex } from './multipart.js';
import { serializeQuery } from './query.js';
import { withRetries, type Patience } from './retries.js';
import { defaultTransport, type Transport, type TransportRequest } from './transport.js';
import type { Resource } from './types.js';

export interface ClientOptions {
  /** The service's URL, with or without `/api/v1`. Empty: the origin of the page. */
  readonly url: string;
  /** Omitted in a browser that is logged in, since its cookie authenticates. */
  readonly apiKey?: string;
  /** How often a request is tried; once by default. */
  readonly patience?: Patience;
  /** Aborts every request; they then reject with its reason. */
  readonly signal?: AbortSignal;
  readonly transport?: Transport;
}

/** Reads the body to its end, so that an interrupted response is retried like a missing one. */
async function readWhole(response: Response): Promise<Response> {
  const { status, headers, url } = response;
  try {
    const text = await response.text();
    return new Response(text === '' ? null : text, { status, headers });
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(url, false, error) : error;
  }
}

/** The same for JSON. Throws ApiError for a stream, which has no end, and for a file, which may be large. */
async function readWholeJson(method: string, response: Response): Promise<Response> {
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? '';
  const isStream = /^text\/event-stream\b/.test(type);
  // Some proxies send a request id as the service does, but what they send instead of it is mostly a page.
  const isFile =
    method === 'GET' &&
    status === 200 &&
    headers.has('x-request-id') &&
    !/^$|\bjson\b|^text\/html\b/.test(type);
  if (!isStream && !isFile) return await readWhole(response);
  await body?.cancel();
  const advice = isStream ? 'events' : 'open';
  const message = `The response ${status} is ${type}, not JSON: use \`${advice}\`.`;
  throw new ApiError(status, `HTTP_${status}`, message);
}

/** Returns the value of a JSON text. Throws ApiError if it is not JSON, such as the page of a proxy that asks for a log-in. */
function readJson(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw toApiError(status, null, text);
  }
}

/** Throws TypeError if a path parameter would make the path that of another operation: `/resources/` is a list. */
function checkPath(path: string, parameters: PathParameters = {}): void {
  for (const [name, value] of Object.entries(parameters))
    if (['', '.', '..', undefined, null].includes(value))
      throw new TypeError(`The path parameter ${name} of ${path} must not be "${value}".`);
}

/** Sends a request. The error of a file that cannot be read takes precedence over the failure of its request. */
async function sendReadable(transport: Transport, request: TransportRequest): Promise<Response> {
  const { body } = request;
  if (body === null || typeof body === 'string') return await transport(request);
  const errors: unknown[] = [];
  const form = { ...body, onUnreadable: (error: unknown) => void errors.push(error) };
  try {
    return await transport({ ...request, body: form });
  } catch (error) {
    throw errors.length > 0 ? errors[0] : error;
  }
}

type PathParameters = Readonly<Record<string, string | undefined | null>>;

const once: Patience = { tries: 1 };

export function createClient(options: ClientOptions): Client {
  const { transport = defaultTransport } = options;
  const base = `${options.url.replace(/\/*(\/api\/v1\/*)?$/, '')}/api/v1`;
  const auth: Record<string, string> =
    options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` };

  const send = async <T = Response>(
    request: Omit<TransportRequest, 'signal'>,
    call: CallOptions,
    read: (response: Response) => T | Promise<T> = (response) => response as T,
  ): Promise<T> => {
    const { patience = options.patience ?? once } = call;
    const isSafe = request.method === 'GET' || 'idempotency-key' in request.headers;
    const signals = [call.signal, options.signal].filter((signal) => signal !== undefined);
    const signal = signals.length === 1 && signals[0] ? signals[0] : AbortSignal.any(signals);
    return await withRetries(
      async () => {
        const response = await sendReadable(transport, { ...request, signal });
        const { status, headers } = response;
        const isUnchanged = status === 304 && new Headers(request.headers).has('if-none-match');
        if (response.ok || isUnchanged) return await read(response);
        throw toApiError(status, headers.get('retry-after'), await (await readWhole(response)).text());
      },
      { ...patience, repeatable: call.repeatable ?? isSafe, signal },
    );
  };
  const api = createOpenapiClient<Record<string, Record<Verb, object>>>({
    baseUrl: base,
    headers: auth,
    querySerializer: serializeQuery,
  });

  const call =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
    async (
      path: string,
      { patience, signal, repeatable, ...init }: CallOptions & { params?: { path?: PathParameters } } = {},
    ) => {
      checkPath(path, init.params?.path);
      const fetch = async (request: Request): Promise<Response> => {
        const { url, headers } = request;
        const body = (await request.text()) || null;
        return await send(
          { method, url, headers: Object.fromEntries(headers), body },
          { patience, signal, repeatable },
          (response) => readWholeJson(method, response),
        );
      };
      const { data, response } = await (
        api[method] as (path: string, init: object) => Promise<{ data?: string; response: Response }>
      )(path, { ...init, fetch, parseAs: 'text' });
      const { status, headers } = response;
      // Another server may answer a deletion with any success.
      if (method === 'DELETE' && status !== 204) throw toApiError(status, null, '');
      const value = status === 204 || status === 304 ? undefined : readJson(status, data ?? '');
      return { status, value, etag: headers.get('etag') };
    };

  const register = (
    { idempotencyKey = randomHex(), ...source }: NewSource,
    body: TransportRequest['body'],
  ): Promise<Resource> => {
    const headers = {
      ...auth,
      'idempotency-key': idempotencyKey,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    };
    const read = async (response: Response): Promise<Resource> =>
      readJson(response.status, await (await readWhole(response)).text()) as Resource;
    return send({ method: 'POST', url: `${base}/resources`, headers, body }, source, read);
  };

  const client: Client = {
    GET: call('GET') as Get,
    POST: call('POST') as Call<'post'>,
    PUT: call('PUT') as Call<'put'>,
    PATCH: call('PATCH') as Call<'patch'>,
    DELETE: call('DELETE') as Call<'delete'>,
    open: (path, { headers, ...callOptions } = {}) =>
      send({ method: 'GET', url: base + path, headers: { ...auth, ...headers }, body: null }, callOptions),
    upload: ({ file, fileName, onSent, ...source }) =>
      register(source, {
        fields: {
          name: source.name,
          type: source.type,
          source: '{"kind":"UPLOAD"}',
          ...(source.metadata && { metadata: JSON.stringify(source.metadata) }),
        },
        file,
        // Headers cannot contain control characters.
        fileName: (fileName ?? ((file instanceof File && file.name) || source.name)).replace(/\p{Cc}/gu, ' '),
        onSent,
      }),
    addUrl: ({ url, ...source }) => {
      const { name, type, metadata } = source;
      return register(source, JSON.stringify({ name, type, source: { kind: 'URL', url }, metadata }));
    },
    events: (eventOptions) => followEvents(client, eventOptions),
    waitFor: (id, waitOptions) => waitForResource(client, id, waitOptions),
  };
  return client;
}
