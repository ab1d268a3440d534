import type { ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '#bundled/mcp-server';
import { toWebRequest } from '#bundled/mcp-node';
import type { ApiState } from '../middleware/request-id.js';
import type { Reply, RouteInput } from '../route.js';
import type { McpMessage } from '../schemas/mcp.js';
import type { McpCall } from './call.js';
import { refuseParams } from './check-params.js';
import { answerWithError } from './errors.js';
import { createServer } from './server.js';
import { openSubscription } from './subscription.js';
import { toReply } from './to-reply.js';

type McpInput = RouteInput<'/mcp', 'read', undefined, McpMessage, void>;

/** The answer to a client that has disconnected. Only the access log shows it. */
const clientLeft: Reply = { status: 499 };

/**
 * Answers one message according to its protocol revision. Messages of 2026-07-28 name it each time; earlier revisions
 * begin with `initialize`. All revisions share the same tools and resources.
 */
export async function answerMcp(input: McpInput): Promise<Reply> {
  const { koa, deps, principal, body, transact } = input;
  const state = koa.state as ApiState;
  const { requestId } = state;
  const { id } = body;
  if (typeof id === 'string' || typeof id === 'number')
    state.errorBody = (error) => answerWithError(error, id);
  const call: McpCall = { deps, principal, transact, requestId };
  deps.logFields.add(fieldsOf(body));
  const refusal = refuseParams(body);
  if (refusal !== null) return refusal;
  const request = await toWebRequest(koa.req, body, { signal: whenLeft(koa.res) });
  if (await isLegacyRequest(request, body)) return await answerEarlier(call, request, body);
  if (body.method === 'subscriptions/listen')
    return await openSubscription(call, { request, body, response: koa.res });
  const handler = createMcpHandler(({ era }) => createServer(call, era), {
    legacy: 'reject',
    onerror: (err) => deps.log.debug({ err }, 'a Model Context Protocol message was refused'),
  });
  return await toReply(await handler.fetch(request, { parsedBody: body }));
}

/** Answers a message of a revision before 2026-07-28, always in one piece of JSON. */
async function answerEarlier(call: McpCall, request: Request, body: McpMessage): Promise<Reply> {
  const server = createServer(call, 'legacy');
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // A disconnected client never gets an answer.
  const left = new Promise<null>((resolve) => {
    if (request.signal.aborted) resolve(null);
    request.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    await server.connect(transport);
    const response = await Promise.race([transport.handleRequest(request, { parsedBody: body }), left]);
    return response === null ? clientLeft : await toReply(response);
  } finally {
    await server.close();
  }
}

/** Returns a signal that aborts when the client disconnects before it has its answer. */
function whenLeft(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  if (response.closed) leaving.abort();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

/** Returns the log fields of a message: its method, and the called tool. */
function fieldsOf({ method, params }: McpMessage): Record<string, string | undefined> {
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  return { mcp_method: word(method), mcp_tool: word(name) };
}

/** Keeps names of the protocol and drops arbitrary text from clients. */
const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[a-zA-Z_/]{1,60}$/.test(value) ? value : undefined;
