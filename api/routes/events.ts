import type { Context } from 'koa';
import { findResource, type Resource } from '../../storage/resources/resources.js';
import type { ApiDeps } from '../deps.js';
import type { StreamRequest } from '../events/event-streams.js';
import { streamHeaders } from '../events/stream-body.js';
import { frames } from '../examples/event.js';
import { found } from '../lookups/found.js';
import type { Principal } from '../auth/principal.js';
import { defineRoute, type Reply, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';
import { eventsQuery, resourceStreamEventSchema, streamEventSchema } from '../schemas/event.js';

const tag = 'Events';
const mediaType = 'text/event-stream';
const note =
  'Server-Sent Events. Without a Last-Event-ID, or with an empty one, the first event is `ready` (data `{}`), whose id is the position at which the stream begins. After a known id there is no `ready`: the stream begins with every event since then, each exactly once. Changes are kept for 24 hours. If the id is older, invalid or from another database, the first event is `reset` (data `{}`): reload everything that you show. `reset` may also come later. Connections end when the service restarts: reconnect with the id of the last event. The response is 429 if the key has 100 streams open on the replica, or all keys together have 1,000.';

const description = (schema: string): string =>
  `A stream that stays open. The schema is that of one event: \`id\`, \`event\` and \`data\` are the fields of its frame; \`data\` is JSON. ${schema}`;

const all = defineRoute({
  method: 'GET',
  path: '/events',
  operationId: 'followEvents',
  summary: 'Follow all changes',
  description: note,
  tag,
  scope: 'read',
  eventStream: true,
  query: eventsQuery,
  responses: {
    200: {
      description: description('More types may be added.'),
      mediaType,
      schema: streamEventSchema,
      examples: frames,
    },
  },
  handler: ({ deps, koa, principal, query }) =>
    openStream({
      ...{ deps, koa, principal, resourceId: null, asked: query.last_event_id },
      confirm: () => Promise.resolve(),
    }),
});

const ofResource = defineRoute({
  method: 'GET',
  path: '/resources/:id/events',
  operationId: 'followResourceEvents',
  summary: 'Follow the changes of a resource',
  description: note,
  tag,
  scope: 'read',
  eventStream: true,
  params: { id: uuidParam('resource') },
  query: eventsQuery,
  responses: {
    200: {
      description: description('The stream ends when the resource is deleted.'),
      mediaType,
      schema: resourceStreamEventSchema,
      examples: frames,
    },
  },
  async handler({ deps, koa, principal, params: { id }, query }) {
    const find = async (): Promise<Resource> => found(await findResource(deps.db, id), 'resource', id);
    const { id: resourceId } = await find();
    return await openStream({
      ...{ deps, koa, principal, resourceId, asked: query.last_event_id },
      confirm: find,
    });
  },
});

async function openStream(of: {
  readonly deps: ApiDeps;
  readonly koa: Context;
  readonly principal: Principal;
  readonly resourceId: string | null;
  readonly asked: string | undefined;
  readonly confirm: StreamRequest['confirm'];
}): Promise<Reply> {
  const { deps, koa, principal, resourceId, asked, confirm } = of;
  const shared = { status: 200, type: `${mediaType}; charset=utf-8`, headers: streamHeaders };
  if (koa.method === 'HEAD') return { ...shared, body: '' };
  const lastId = koa.get('last-event-id') || asked || null;
  const { keyId, session } = principal;
  const request: StreamRequest = {
    ...{ keyId, session: session?.hash ?? null, lastId, resourceId, confirm },
    response: koa.res,
  };
  return { ...shared, body: await deps.eventStreams.open(request) };
}

export const eventRoutes: readonly Route[] = [all, ofResource];
