import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type McpServer } from '#bundled/mcp-server';
import { isUuid } from '../../core/ids.js';
import { ServiceError } from '../../core/errors.js';
import { listReadableResources } from '../../storage/resources/readable-resources.js';
import { loadPage, readPosition, timePosition } from '../lookups/pages.js';
import { toServiceError } from '../reply/service-error.js';
import { explainToModel } from './errors.js';
import type { McpCall } from './call.js';
import { readShownText } from './texts/shown-texts.js';
import { parseTextUri, textUri } from './texts/text-id.js';

/** Entries of a page of the list. */
const pageSize = 100;
/** The maximum number of code points that one read returns. */
const mostCharacters = 500_000;
const mimeType = 'text/plain';

/** Registers the resources that clients can attach: texts of resources that are enabled and COMPLETED. */
export function registerResources({ server }: McpServer, call: McpCall): void {
  server.setRequestHandler('resources/list', async ({ params }) =>
    orProtocolError(call, () => listTexts(call, params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...templates] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) =>
    orProtocolError(call, () => readText(call, uri)),
  );
}

const templates = [
  {
    name: 'resource',
    title: 'Text of a resource',
    uriTemplate: 'kw://resources/{id}',
    mimeType,
    description: `The text of the resource with this id; for long texts, the first ${mostCharacters} characters.`,
  },
  {
    name: 'resource-part',
    title: 'Text of a resource, from an offset',
    uriTemplate: 'kw://resources/{id}{?offset}',
    mimeType,
    description: `At most ${mostCharacters} characters of the text, from this offset; the first character is 0.`,
  },
] as const;

async function listTexts({ deps }: McpCall, cursor: string | undefined) {
  const before = readPosition(cursor, isUuid);
  const { items, next_cursor } = await loadPage(
    pageSize,
    (limit) => listReadableResources(deps.db, { limit, before }),
    timePosition,
  );
  const resources = items.map(({ id, name, type, source_uri, text_bytes, updated_at }) => ({
    uri: textUri(id),
    name,
    title: name,
    description: source_uri === null ? `Type: ${type}.` : `Type: ${type}, from ${source_uri}.`,
    mimeType,
    ...(text_bytes !== null && { size: text_bytes }),
    annotations: { lastModified: updated_at.toISOString() },
  }));
  return { resources, ...(next_cursor !== null && { nextCursor: next_cursor }) };
}

async function readText({ deps }: McpCall, uri: string) {
  const named = parseTextUri(uri);
  if (named === null) throw new ResourceNotFoundError(uri);
  const { resourceId, start } = named;
  const end = start + mostCharacters;
  const { text, hasMore } = await readShownText(deps, resourceId, ({ resource }) => {
    if (resource.status !== 'COMPLETED') throw new ResourceNotFoundError(uri);
    return { start, end };
  }).catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'NOT_FOUND'
      ? new ResourceNotFoundError(uri)
      : error;
  });
  const note = hasMore ? `\n\n[The text continues: read ${textUri(resourceId, end)} for the next part.]` : '';
  return { contents: [{ uri, mimeType, text: text + note }] };
}

/** Converts thrown errors to protocol errors, which reveal no more than the REST API would. */
async function orProtocolError<T>(call: McpCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toServiceError(call.deps.log, thrown);
    const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, explainToModel(error, call.requestId), { code: error.code });
  }
}
