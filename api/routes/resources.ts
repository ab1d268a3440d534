import { isUuid } from '../../core/ids.js';
import { validationFailed } from '../../core/errors.js';
import { listArtifacts } from '../../storage/artifacts.js';
import { findResource, listResources, toggleResource, updateResource } from '../../storage/resources.js';
import { listSteps, noteAttempt } from '../../storage/runs.js';
import { deleteResource } from '../../storage/transitions/resource-requests.js';
import { loadPage, readPosition, timePosition } from '../cursor.js';
import { location } from '../location.js';
import { found } from '../not-found.js';
import { newUploadKey, registerUpload, registerUrl } from '../register-resource.js';
import { defineRoute, type Route } from '../route.js';
import { listOf, uuidParam } from '../schemas/common.js';
import {
  listedResourceSchema,
  newResourceSchema,
  resourceChangesSchema,
  resourceQuery,
  resourceSchema,
  uploadFormSchema,
} from '../schemas/resource.js';
import { viewResource } from '../views/resource.js';
import { showResource, showResources } from '../views/show-resource.js';

const tag = 'Resources';
const params = { id: uuidParam('resource') };

const list = defineRoute({
  method: 'GET',
  path: '/resources',
  operationId: 'listResources',
  summary: 'List resources',
  description: 'Newest first. Filters are combined.',
  tag,
  scope: 'read',
  query: resourceQuery,
  responses: { 200: { description: 'A page of resources.', schema: listOf(listedResourceSchema) } },
  async handler({ deps, query }) {
    const { include = [], limit, cursor, ...filter } = query;
    const before = readPosition(cursor, isUuid);
    const page = await loadPage(
      limit,
      (rows) => listResources(deps.db, filter, { limit: rows, before }),
      timePosition,
    );
    return { status: 200, body: { ...page, items: await showResources(deps.db, page.items, include) } };
  },
});

const register = defineRoute({
  method: 'POST',
  path: '/resources',
  operationId: 'registerResource',
  summary: 'Register a resource',
  description:
    'A URL is sent as JSON, a file as multipart/form-data with its fields in any order. When a pipeline has its type as trigger type, the resource is PROCESSING at once; otherwise it is PENDING and `no_matching_pipeline`.',
  tag,
  scope: 'write',
  body: newResourceSchema,
  multipart: {
    schema: uploadFormSchema,
    keyFor: newUploadKey,
    toBody: ({ source, ...fields }) => ({
      ...fields,
      source: source === undefined ? { kind: 'UPLOAD' } : parseSource(source),
    }),
  },
  responses: {
    201: {
      description: 'The resource.',
      schema: resourceSchema,
      headers: { Location: 'Where the resource is.' },
    },
  },
  errors: ['URL_NOT_ALLOWED', 'STORAGE_UNAVAILABLE'],
  async handler({ deps, body, upload }) {
    const { source } = body;
    if (source.kind === 'URL' && upload !== null) {
      throw validationFailed({ path: '/source/kind', message: 'a URL is sent as JSON' });
    }
    const { resource } =
      source.kind === 'URL'
        ? await registerUrl(deps, body, source.url)
        : await registerUpload(deps, body, upload);
    const headers = location(deps.config, 'resources', resource.id);
    return { status: 201, headers, body: await showResource(deps.db, resource) };
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/resources/:id',
  operationId: 'getResource',
  summary: 'Get a resource',
  description:
    'While it is processed, its steps show what Temporal knows of them: who they wait for, and until when.',
  tag,
  scope: 'read',
  params,
  responses: { 200: { description: 'The resource.', schema: resourceSchema } },
  async handler({ deps, params: { id } }) {
    const resource = found(await findResource(deps.db, id), 'resource', id);
    const [rows, artifacts] = await Promise.all([
      listSteps(deps.db, [[id, resource.run]]),
      listArtifacts(deps.db, [id]),
    ]);
    const steps = await deps.liveSteps(resource, rows);
    for (const [index, step] of steps.entries()) {
      if (step.attempt > (rows[index]?.attempt ?? 0)) await noteAttempt(deps.db, step, step.attempt);
    }
    return { status: 200, body: viewResource(resource, steps, artifacts) };
  },
});

const edit = defineRoute({
  method: 'PATCH',
  path: '/resources/:id',
  operationId: 'editResource',
  summary: 'Edit a resource',
  tag,
  scope: 'write',
  params,
  body: resourceChangesSchema,
  responses: { 200: { description: 'The resource.', schema: resourceSchema } },
  async handler({ deps, params: { id }, body }) {
    await updateResource(deps.db, id, body);
    const resource = found(await findResource(deps.db, id), 'resource', id);
    return { status: 200, body: await showResource(deps.db, resource) };
  },
});

const toggle = defineRoute({
  method: 'PUT',
  path: '/resources/:id/toggle',
  operationId: 'toggleResource',
  summary: 'Enable or disable a resource',
  description: 'Flips `is_enabled`. Processing goes on as it was.',
  tag,
  scope: 'write',
  params,
  responses: { 200: { description: 'The resource.', schema: resourceSchema } },
  async handler({ deps, params: { id } }) {
    await toggleResource(deps.db, id);
    const resource = found(await findResource(deps.db, id), 'resource', id);
    return { status: 200, body: await showResource(deps.db, resource) };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/resources/:id',
  operationId: 'deleteResource',
  summary: 'Delete a resource',
  description: 'With its artifacts. What is stored of it elsewhere is cleaned up afterwards.',
  tag,
  scope: 'write',
  params,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['RESOURCE_PROCESSING'],
  async handler({ deps, params: { id } }) {
    deps.outbox.sendSoon(await deleteResource(deps.db, id));
    return { status: 204 };
  },
});

/** The field `source` of a form holds JSON. */
function parseSource(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationFailed({ path: '/source', message: 'must be the JSON text {"kind":"UPLOAD"}' });
  }
}

export const resourceRoutes: readonly Route[] = [list, register, get, edit, toggle, remove];
