import { clip, parseUrl, readRetryAfter } from '@knowledge-warehouse/plugin/protocol';
import { PluginFailure, type PluginFetch } from '@knowledge-warehouse/plugin';
import { invalidConfig } from './failures.js';

/** A request with a JSON body to a server that the config names. */
export interface EndpointCall {
  readonly fetch: PluginFetch;
  readonly method: 'GET' | 'POST';
  /** Must not contain a user name or password. */
  readonly url: string;
  /** The key of the config that names the server, for errors. */
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Time limit for the whole call, up to the last byte of the response. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** A complete response with any status. */
export interface EndpointAnswer {
  readonly status: number;
  /** The pause that the Retry-After header asks for, or null. */
  readonly retryAfterSeconds: number | null;
  readonly body: string;
}

/**
 * Thrown when the server gave no complete response. The message names its host and the kind of failure, but nothing
 * that was sent.
 */
export class NoAnswer extends Error {
  override readonly name: string = 'NoAnswer';
}

/** Thrown when a successful response is too large to be held in memory. The same request would get it again. */
export class AnswerTooLarge extends NoAnswer {
  override readonly name = 'AnswerTooLarge';
}

const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends one request and reads its response. Throws a non-retryable PluginFailure: URL_NOT_ALLOWED if the host does
 * not let the plugin reach the address, INVALID_CONFIG if `fetch` cannot call it. Otherwise throws NoAnswer,
 * AnswerTooLarge, or the signal's reason.
 */
export async function callEndpoint(call: EndpointCall): Promise<EndpointAnswer> {
  const url = parseUrl(call.url);
  if (url === null) throw invalidConfig(call.key, 'must be a valid URL, with a port of at most 65535');
  const { host } = url;
  const late = new NoAnswer(`${host} did not send a complete response within ${call.timeoutSeconds} s.`);
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(call.signal.reason);
  const timer = setTimeout(() => controller.abort(late), call.timeoutSeconds * 1000);
  call.signal.addEventListener('abort', onAbort, { once: true });
  if (call.signal.aborted) onAbort();
  try {
    const response = await call.fetch(call.url, {
      method: call.method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      signal: controller.signal,
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    return {
      status: response.status,
      retryAfterSeconds: readRetryAfter(response.headers.get('retry-after'), Date.now()),
      body: await readBody(response, host),
    };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    if (controller.signal.aborted) throw late;
    if (error instanceof NoAnswer) throw error;
    throw explain(error, url, call.key);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', onAbort);
  }
}

async function readBody(response: Response, host: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxAnswerBytes)
      throw new (response.ok ? AnswerTooLarge : NoAnswer)(`${host} sent more than ${maxAnswerBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Describes a failed `fetch`. Omits the original message, since it may quote a header. */
function explain(error: unknown, { host, port }: URL, key: string): Error {
  const cause = error instanceof Error ? error.cause : undefined;
  // https://fetch.spec.whatwg.org/#port-blocking; the error has no code.
  if (cause instanceof Error && cause.message === 'bad port')
    return invalidConfig(key, `must use a different port: HTTP clients block port ${port}`);
  const code = codeOf(error) ?? codeOf(cause);
  if (code === 'URL_NOT_ALLOWED') {
    const message = `Plugins may not call ${host}. An operator can allow it with KW_PLUGIN_HOSTS.`;
    return new PluginFailure('URL_NOT_ALLOWED', message, { retryable: false });
  }
  return new NoAnswer(`No answer from ${host}${code === undefined ? '' : ` (${code})`}.`);
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Describes an unsuccessful response for people: its status and the server's message, cut to 300 characters and without
 * the secret, which servers often quote when they reject it.
 */
export function describeAnswer({ status, body }: EndpointAnswer, secret: string | undefined): string {
  const said = status === 401 || status === 403 ? '' : messageIn(body);
  const safe = secret === undefined ? said : said.replaceAll(secret, '…');
  return `status ${status}${safe && `: ${clip(safe, 300)}`}`;
}

/** Returns the message of a JSON error in one of the usual forms, or the whole body if it is not JSON. */
function messageIn(body: string): string {
  try {
    const answer = JSON.parse(body) as { readonly error?: unknown; readonly message?: unknown } | null;
    const error = answer?.error as { readonly message?: unknown } | null | undefined;
    const message = [error?.message, answer?.message, error].find((text) => typeof text === 'string');
    return message ?? '';
  } catch {
    return body.trim();
  }
}
