import { validationFailed } from '../../core/errors.js';
import { checkMetadataSize } from '../../core/resources/metadata.js';
import { mostCounted } from '../../core/resources/resource-sort.js';
import { editResource } from '../../storage/resources/edit-resource.js';
import { countMatching, listResources } from '../../storage/resources/resource-lists.js';
import { toggleResource, type NewResource } from '../../storage/resources/resources.js';
import { noteAttempt } from '../../storage/runs/runs.js';
import { deleteResource, registerResource } from '../../storage/transitions/resource-requests.js';
import { handbook, newHandbook, newPage } from '../examples/resource.js';
import { loadPage } from '../lookups/pages.js';
import { resourceCursors } from '../lookups/resource-cursors.js';
import { checkDepth } from '../json-thread/parse-json.js';
import { location } from '../reply/location.js';
import { found } from '../lookups/found.js';
import { registerUpload, registerUrl } from '../registration/register-resource.js';
import { filterOfQuery } from '../request/resource-filter.js';
import { defineRoute, type Reply, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';
import { resourceSchema } from '../schemas/resource.js';
import {
  newResourceSchema,
  resourceChangesSchema,
  resourcePageSchema,
  resourceQuery,
  uploadFormSchema,
} from '../schemas/resource-requests.js';
import { lockedResourceTag, resourceTag } from '../reply/entity-tags.js';
import { viewListItem, viewResource } from '../views/resource.js';
import { showResource } from '../views/show-resource.js';

const tag = 'Resources';
const params = { id: uuidParam('resource') };

const list = defineRoute({
  method: 'GET',
  path: '/resources',
  operationId: 'listResources',
  summary: 'List resources',
  description:
    'Newest first, unless `sort` says otherwise. Several values of one filter match any of them; several filters must all match.',
  tag,
  scope: 'read',
  query: resourceQuery,
  responses: { 200: { description: 'A page of resources.', schema: resourcePageSchema } },
  async handler({ deps, query }) {
    const { include, limit, cursor, sort = '-created_at', count = false, ...rest } = query;
    const filter = filterOfQuery(rest);
    const cursors = resourceCursors(sort, filter);
    const after = cursors.read(cursor);
    const [page, total] = await Promise.all([
      loadPage(
        limit,
        (rows) => listResources(deps.db, filter, { limit: rows, sort, after, include }),
        cursors.of,
      ),
      count ? countMatching(deps.db, filter, mostCounted) : null,
    ]);
    return { status: 200, body: { ...page, items: page.items.map(viewListItem), ...(total && { total }) } };
  },
});

const register = defineRoute({
  method: 'POST',
  path: '/resources',
  operationId: 'registerResource',
  summary: 'Register a resource',
  description:
    'Send a URL as JSON, or a file as multipart/form-data with its fields in any order. If a pipeline has the type as trigger type, the resource is PROCESSING at once; otherwise it is PENDING and `no_matching_pipeline`. The run fetches a URL when it begins; this request does not.',
  tag,
  scope: 'write',
  idempotent: true,
  tagged: true,
  body: newResourceSchema,
  multipart: {
    schema: uploadFormSchema,
    toBody: ({ source, metadata, ...fields }) => ({
      ...fields,
      source: source === undefined ? { kind: 'UPLOAD' } : readField('source', source, '{"kind":"UPLOAD"}'),
      ...(metadata !== undefined && { metadata: readField('metadata', metadata, 'of an object') }),
    }),
  },
  responses: {
    201: {
      description: 'The resource.',
      schema: resourceSchema,
      headers: { Location: 'The URL of the resource.' },
      examples: { 'A file': newHandbook, 'A URL': newPage },
    },
  },
  errors: ['URL_NOT_ALLOWED', 'STORAGE_UNAVAILABLE'],
  async handler({ deps, body, upload, transact }) {
    const { source, metadata = {} } = body;
    checkMetadataSize(metadata, '/metadata');
    if (source.kind === 'URL' && upload !== null) {
      throw validationFailed({ path: '/source/kind', message: 'send a URL as JSON' });
    }
    const save = (resource: NewResource, written?: () => void): Promise<Reply> =>
      transact(async (trx) => {
        const message = await registerResource(trx, resource);
        const { headers, body: shown } = await showResource(deps, trx, resource.id);
        const where = location(deps.config, 'resources', resource.id);
        written?.();
        return { status: 201, headers: { ...where, ...headers }, body: shown, message };
      });
    return source.kind === 'URL'
      ? await registerUrl(deps, body, { url: source.url, path: '/source/url' }, save)
      : await registerUpload(deps, body, upload, save);
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/resources/:id',
  operationId: 'getResource',
  summary: 'Get a resource',
  description:
    'While the resource is PROCESSING, its steps show what Temporal knows: what they wait for, and until when.',
  tag,
  scope: 'read',
  tagged: true,
  params,
  responses: { 200: { description: 'The resource.', schema: resourceSchema } },
  async handler({ deps, params: { id } }) {
    const { resource, steps: rows, artifacts } = found(await deps.reads.resource(id), 'resource', id);
    deps.logFields.add({ run: resource.run });
    const steps = await deps.liveSteps(resource, rows);
    for (const [index, step] of steps.entries()) {
      if (step.attempt > (rows[index]?.attempt ?? 0)) await noteAttempt(deps.db, step, step.attempt);
    }
    const headers = { ETag: resourceTag(deps, resource, rows, artifacts) };
    return { status: 200, headers, body: viewResource(resource, steps, artifacts) };
  },
});

const edit = defineRoute({
  method: 'PATCH',
  path: '/resources/:id',
  operationId: 'updateResource',
  summary: 'Edit a resource',
  description:
    'Changes name, `is_enabled` and metadata, as a JSON Merge Patch; fields that you leave out do not change.',
  tag,
  scope: 'write',
  tagged: true,
  params,
  body: resourceChangesSchema,
  responses: {
    200: {
      description: 'The resource.',
      schema: resourceSchema,
      examples: { 'With a new name': { ...handbook, name: 'Archive handbook, 2nd edition' } },
    },
  },
  async handler({ deps, params: { id }, body, ifMatch, transact }) {
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedResourceTag(deps, trx, id));
      await editResource(trx, id, body);
      return { status: 200, ...(await showResource(deps, trx, id)) };
    });
  },
});

const toggle = defineRoute({
  method: 'PUT',
  path: '/resources/:id/toggle',
  operationId: 'toggleResource',
  summary: 'Enable or disable a resource',
  description: 'Flips `is_enabled`. Processing continues.',
  tag,
  scope: 'write',
  tagged: true,
  params,
  responses: {
    200: {
      description: 'The resource.',
      schema: resourceSchema,
      examples: { 'A resource that was enabled': { ...handbook, is_enabled: false } },
    },
  },
  async handler({ deps, params: { id }, ifMatch, transact }) {
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedResourceTag(deps, trx, id));
      await toggleResource(trx, id);
      return { status: 200, ...(await showResource(deps, trx, id)) };
    });
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/resources/:id',
  operationId: 'deleteResource',
  summary: 'Delete a resource',
  description: 'Also deletes its artifacts. What plugins store elsewhere is cleaned up afterwards.',
  tag,
  scope: 'write',
  tagged: true,
  params,
  responses: { 204: { description: 'The resource was deleted.' } },
  errors: ['RESOURCE_PROCESSING'],
  async handler({ deps, params: { id }, ifMatch, transact }) {
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedResourceTag(deps, trx, id));
      return { status: 204, message: await deleteResource(trx, id) };
    });
  },
});

/** Parses a form field that holds JSON. */
function readField(name: string, text: string, form: string): unknown {
  checkDepth(Buffer.from(text), `/${name}`);
  try {
    return JSON.parse(text);
  } catch {
    throw validationFailed({ path: `/${name}`, message: `must be the JSON text ${form}` });
  }
}

export const resourceRoutes: readonly Route[] = [list, register, get, edit, toggle, remove];
