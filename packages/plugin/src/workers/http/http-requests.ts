import type { IncomingMessage, RequestListener } from 'node:http';
import { messageOf, parseJson, parseUrl } from '../../protocol/text.js';
import { verifyMessage } from '../../signing.js';
import type { CancelMessage, CleanUpMessage, StepMessage } from '../../protocol/step.js';
import type { AnyPlugin, PluginLog } from '../../types.js';
import { callCleanup } from '../clean-up.js';
import type { HttpAttempts } from './http-attempts.js';
import { withLocalDeadline } from '../attempt/local-deadline.js';
import { readOrigin, withinTrace, type Origin } from '../origin.js';

/** Maximum size of a message, in bytes. */
const longestMessage = 4 * 1024 * 1024;

export interface HttpHost {
  readonly plugins: readonly AnyPlugin[];
  readonly attempts: HttpAttempts;
  /** Resolves with the signing secrets by plugin. */
  readonly secrets: Promise<ReadonlyMap<string, readonly string[]>>;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  readonly log: PluginLog;
}

interface Reply {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Message = StepMessage | CancelMessage | CleanUpMessage;

/** Handles Core's requests: signed steps, cancellations and clean-ups; and `GET /health`. */
export function createRequestListener(host: HttpHost): RequestListener {
  return (request, response) => {
    replyTo(host, request)
      .catch((error: unknown): Reply => {
        host.log.error({ err: error }, 'a request could not be served');
        return refusal(500, 'INTERNAL', 'The worker could not process the message.');
      })
      .then(({ status, body, headers }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      })
      .catch((error: unknown) => host.log.warn({ err: error }, 'an answer could not be sent'));
  };
}

async function replyTo(host: HttpHost, request: IncomingMessage): Promise<Reply> {
  // A target such as `//` is not a URL.
  const pathname = parseUrl(request.url ?? '/', 'http://worker')?.pathname ?? '';
  if (request.method === 'GET' && pathname === '/health') return { status: 200, body: { status: 'ok' } };
  if (request.method !== 'POST') {
    return { ...refusal(405, 'METHOD_NOT_ALLOWED', 'Send messages by POST.'), headers: { allow: 'POST' } };
  }
  const id = pathname.split('/').at(-1);
  const plugin = host.plugins.length === 1 ? host.plugins[0] : host.plugins.find((each) => each.id === id);
  if (plugin === undefined) return refusal(404, 'NOT_FOUND', 'No plugin is served at this path.');
  const body = await readBody(request);
  if (body === null) {
    return {
      ...refusal(413, 'PAYLOAD_TOO_LARGE', `A message has at most ${longestMessage} bytes.`),
      headers: { connection: 'close' },
    };
  }
  const secrets = (await host.secrets).get(plugin.id) ?? [];
  if (!secrets.some((secret) => verifyMessage(secret, request.headers, body))) {
    host.log.error(
      { plugin: plugin.id },
      'a message was refused: it is not signed with the secret known here, or the clocks differ by minutes; if the secret was replaced, set KW_SIGNING_SECRET to the new one, or write it into its file in the secretsFolder (.kw-secrets by default), and restart the worker',
    );
    return refusal(401, 'UNAUTHENTICATED', 'The signature does not match, or is older than five minutes.');
  }
  const message = (parseJson(body) as Message | null | undefined) ?? null;
  const sentAt = Number(request.headers['webhook-timestamp']) * 1_000;
  return message === null
    ? refusal(400, 'MALFORMED_BODY', 'The message is not JSON.')
    : await take(host, plugin, message, sentAt, readOrigin(request.headers));
}

async function take(
  host: HttpHost,
  plugin: AnyPlugin,
  message: Message,
  sentAt: number,
  origin: Origin,
): Promise<Reply> {
  if (host.signal.aborted && message.protocol !== 'kw.cancel/1') return busy('The worker is stopping.');
  switch (message.protocol) {
    case 'kw.step/1': {
      const { message: step, remainingMs } = withLocalDeadline(message, () => sentAt);
      return host.attempts.take(plugin, step, remainingMs, origin)
        ? { status: 202, body: { accepted: true } }
        : busy('Too many steps are waiting.');
    }
    case 'kw.cancel/1':
      host.attempts.cancel(message);
      return { status: 202, body: { accepted: true } };
    case 'kw.cleanup/1':
      // The cancellation may have been lost.
      if (message.reason === 'RESOURCE_DELETED') host.attempts.forget(message.resource.id);
      return await withinTrace(origin, () => cleanUp(host, plugin, message));
    default:
      return refusal(
        400,
        'UNKNOWN_PROTOCOL',
        'This worker supports kw.step/1, kw.cancel/1 and kw.cleanup/1.',
      );
  }
}

async function cleanUp(
  { signal, log }: HttpHost,
  plugin: AnyPlugin,
  message: CleanUpMessage,
): Promise<Reply> {
  try {
    const done = await callCleanup(plugin, message, { config: message.plugin.config, signal, log });
    return done ? { status: 204 } : refusal(501, 'NOT_IMPLEMENTED', 'The plugin stores nothing elsewhere.');
  } catch (error) {
    log.error({ err: error, plugin: plugin.id, resource_id: message.resource.id }, 'a clean-up failed');
    return refusal(500, 'CLEAN_UP_FAILED', messageOf(error));
  }
}

/** Reads a request's body as text. Returns null if it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  if (Number(request.headers['content-length'] ?? 0) > longestMessage) return null;
  // Keeps the request open for its response, even if the body is not read completely.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += (part as Buffer).length;
    if (length > longestMessage) return null;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString();
}

function refusal(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message, details: {} } } };
}

function busy(message: string): Reply {
  return { ...refusal(503, 'BUSY', message), headers: { 'retry-after': '5' } };
}
