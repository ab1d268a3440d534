import { clip } from '@knowledge-warehouse/plugin/protocol';
import { PluginFailure, type PluginFetch } from '@knowledge-warehouse/plugin';

/** A request that carries JSON to a server which the config names. */
export interface EndpointCall {
  readonly fetch: PluginFetch;
  readonly method: 'GET' | 'POST';
  /** Without user name and password. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** For everything, until the last byte of the answer. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** An answer of any status, read in full. */
export interface EndpointAnswer {
  readonly status: number;
  /** The pause that Retry-After asks for, or null. */
  readonly retryAfterSeconds: number | null;
  readonly body: string;
}

/** The server gave no complete answer. The message names its host and the kind of failure, nothing that was sent. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** An answer is held in memory; one beyond this is a server gone wrong. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends one request and reads its answer. Throws a non-retryable PluginFailure URL_NOT_ALLOWED when the host does not
 * let the plugin reach that address, NoAnswer, and the reason of the signal.
 */
export async function callEndpoint(call: EndpointCall): Promise<EndpointAnswer> {
  const { host } = new URL(call.url);
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
      retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')),
      body: await readBody(response, host),
    };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    if (controller.signal.aborted) throw late;
    if (error instanceof NoAnswer) throw error;
    throw explain(error, host);
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
    if (size > maxAnswerBytes) throw new NoAnswer(`${host} sent more than ${maxAnswerBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Describes a failed `fetch`. The original message is left out, since it may quote a header. */
function explain(error: unknown, host: string): Error {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  if (code === 'URL_NOT_ALLOWED') {
    const message = `The address ${host} is not one that plugins may reach.`;
    return new PluginFailure('URL_NOT_ALLOWED', message, { retryable: false });
  }
  return new NoAnswer(`No answer from ${host}${code === undefined ? '' : ` (${code})`}.`);
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Retry-After in seconds, from a number of them or an HTTP date (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

/**
 * Describes an unsuccessful answer for people: its status and the server's message, cut to 300 characters and
 * without the secret, which servers often quote when they reject it.
 */
export function describeAnswer({ status, body }: EndpointAnswer, secret: string | undefined): string {
  const said = status === 401 || status === 403 ? '' : messageIn(body);
  const safe = secret === undefined ? said : said.replaceAll(secret, '…');
  return `status ${status}${safe && `: ${clip(safe, 300)}`}`;
}

/** The message of an error in JSON, in one of the usual forms, or all of a body that is not JSON. */
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
