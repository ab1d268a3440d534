import type { ServerResponse } from 'node:http';
import { createMcpHandler, InMemoryServerEventBus } from '#bundled/mcp-server';
import { validationFailed } from '../../core/errors.js';
import { groupBy } from '../../core/group-by.js';
import { listEnabled } from '../../storage/resources/readable-resources.js';
import { createStreamBody, streamHeaders, type StreamBody } from '../events/stream-body.js';
import type { Reply } from '../route.js';
import type { McpMessage } from '../schemas/mcp.js';
import { createChangeNotifier, type SubscribedUris } from './changes.js';
import type { McpCall } from './call.js';
import { createServer } from './server.js';
import { parseTextUri } from './texts/text-id.js';
import { toReply } from './to-reply.js';

/** The maximum number of URIs that one stream may subscribe to. */
const mostUris = 1_000;

interface SubscriptionRequest {
  readonly request: Request;
  readonly body: McpMessage;
  readonly response: ServerResponse;
}

/**
 * Answers `subscriptions/listen`: a stream of changes that stays open while the client listens and its key is
 * valid. It is stateless, so any replica can serve it. Throws RATE_LIMITED, and errors of the database.
 */
export async function openSubscription(call: McpCall, asked: SubscriptionRequest): Promise<Reply> {
  const { deps, principal } = call;
  const { body: message, subscribed } = withKnownUris(asked.body);
  const bus = new InMemoryServerEventBus();
  const notifier = createChangeNotifier(bus, subscribed);
  const handler = createMcpHandler(({ era }) => createServer(call, era), { legacy: 'reject', bus });
  // The SDK then ends its stream as the protocol requires.
  const end = (): void => void handler.close();
  const { keyId, session } = principal;
  const leave = deps.openStreams.admit({ keyId, session: session?.hash ?? null, end });
  let stopFollowing = (): void => undefined;
  const close = (): void => {
    leave();
    notifier.stop();
    stopFollowing();
  };
  try {
    // Follow changes before acknowledging the subscription, so that none is missed in between.
    const following = await deps.events.follow(null, { ...notifier.follower, end });
    stopFollowing = () => following.stop();
    const ids = [...subscribed.keys()];
    const enabled = new Set(await listEnabled(deps.db, ids));
    notifier.hide(ids.filter((id) => !enabled.has(id)));
    const answer = await handler.fetch(asked.request, { parsedBody: message });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || answer.body === null) {
      close();
      return await toReply(answer);
    }
    const body = createStreamBody(asked.response, () => {
      end();
      close();
    });
    void passOn(answer.body, body);
    const type = 'text/event-stream; charset=utf-8';
    return { status: 200, body: body.readable, type, headers: streamHeaders };
  } catch (error) {
    close();
    throw error;
  }
}

/** Forwards the SDK's output until it ends. Slow readers are disconnected. */
async function passOn(frames: ReadableStream<Uint8Array>, body: StreamBody): Promise<void> {
  const decoder = new TextDecoder();
  for await (const frame of frames) {
    if (!body.write(decoder.decode(frame, { stream: true }))) return;
  }
  body.end();
}

/**
 * Returns the URIs of texts that a message subscribes to, and the message without other URIs: the SDK acknowledges every
 * URI in it. Throws VALIDATION_FAILED for too many; the SDK checks the rest.
 */
function withKnownUris(body: McpMessage): {
  readonly body: McpMessage;
  readonly subscribed: SubscribedUris;
} {
  const { notifications } = (body.params ?? {}) as {
    readonly notifications?: { readonly resourceSubscriptions?: unknown };
  };
  const uris: unknown = notifications?.resourceSubscriptions;
  if (!Array.isArray(uris)) return { body, subscribed: new Map() };
  if (uris.length > mostUris) {
    const path = '/params/notifications/resourceSubscriptions';
    throw validationFailed({ path, message: `must not have more than ${mostUris} items` });
  }
  // The SDK refuses a message with other items.
  if (!uris.every((uri) => typeof uri === 'string')) return { body, subscribed: new Map() };
  const known = [...new Set(uris)].filter((uri) => parseTextUri(uri) !== null);
  const params = { ...body.params, notifications: { ...notifications, resourceSubscriptions: known } };
  const subscribed = groupBy(known, (uri) => parseTextUri(uri)?.resourceId ?? '');
  return { body: { ...body, params }, subscribed };
}
