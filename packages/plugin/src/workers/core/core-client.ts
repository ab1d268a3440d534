import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { messageOf, parseJson } from '../../protocol/text.js';
import { CoreError } from './core-error.js';
import { originHeaders, type Origin } from '../origin.js';

/** How long Core may be silent in milliseconds, before the head of a response and within its body. */
const silenceMs = 60_000;
const connectTimeoutMs = 10_000;

export interface CoreRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly bearer: string;
  readonly signal: AbortSignal;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged; a stream in pieces. */
  readonly bytes?: { readonly content: Buffer | Readable; readonly mediaType: string };
  /** The first byte of the response to request; 0 for all. */
  readonly from?: number;
  /** The origin of the attempt that makes the request. */
  readonly origin?: Origin;
}

/** A response with a status below 300. */
export interface CoreAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
}

export interface CoreClient {
  /**
   * Sends one request and resolves with the head of the response. Throws CoreError for any other response or none, and
   * the signal's reason if it aborts.
   */
  open(request: CoreRequest): Promise<CoreAnswer>;
  /** Like `open`, for a JSON response that is read completely. */
  call(request: CoreRequest): Promise<{ readonly status: number; readonly body: unknown }>;
  close(): Promise<void>;
}

/** Creates an HTTP client for Core. It uses undici's own agent, since `fetch` blocks some ports. */
export function createCoreClient(): CoreClient {
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });

  const send = async (request: CoreRequest): Promise<CoreAnswer> => {
    const { origin, pathname, search } = new URL(request.url);
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: pathname + search,
      method: request.method,
      headers: headersOf(request),
      body: request.bytes?.content ?? (request.json === undefined ? null : JSON.stringify(request.json)),
      signal: request.signal,
      // A plugin may take long to produce a stream, and undici counts the time that it takes to send a Buffer.
      ...(request.bytes !== undefined && { headersTimeout: 0 }),
    });
    // A response that arrives too late is ignored.
    body.on('error', () => undefined);
    if (statusCode < 300) return { status: statusCode, headers, body };
    const text = await body.text();
    if (statusCode < 400) {
      const target = headers['location'] ?? 'an unnamed address';
      throw CoreError.ofStranger(request.url, statusCode, `redirects to ${String(target)}`);
    }
    throw CoreError.ofAnswer(statusCode, headers['retry-after'], text);
  };
  const open: CoreClient['open'] = async (request) => {
    request.signal.throwIfAborted();
    try {
      return await abortable(send(request), request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      throw error instanceof CoreError ? error : CoreError.ofSilence(request.url, messageOf(error));
    }
  };

  return {
    open,
    async call(request) {
      const { status, body } = await open(request);
      let text: string;
      try {
        text = await abortable(body.text(), request.signal);
      } catch (error) {
        request.signal.throwIfAborted();
        throw CoreError.ofSilence(request.url, messageOf(error));
      }
      const json = parseJson(text);
      if (json === undefined)
        throw CoreError.ofStranger(request.url, status, `answers ${status} with something other than JSON`);
      return { status, body: json };
    },
    close: () => agent.destroy(),
  };
}

/** Returns the same client, with requests that carry the origin of an attempt. */
export function clientOf(client: CoreClient, origin: Origin): CoreClient {
  return {
    open: (request) => client.open({ ...request, origin }),
    call: (request) => client.call({ ...request, origin }),
    close: () => client.close(),
  };
}

function headersOf({ bearer, json, bytes, from = 0, origin = {} }: CoreRequest): Record<string, string> {
  const mediaType = json === undefined ? bytes?.mediaType : 'application/json';
  return {
    authorization: `Bearer ${bearer}`,
    'user-agent': 'knowledge-warehouse-worker',
    ...originHeaders(origin),
    ...(mediaType !== undefined && { 'content-type': mediaType }),
    ...(from > 0 && { range: `bytes=${from}-` }),
  };
}

/** Waits for a promise or until a signal aborts; then throws its reason and ignores the promise. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
