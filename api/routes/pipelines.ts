import { isUuid } from '../../core/ids.js';
import {
  createPipeline,
  deletePipeline,
  findPipeline,
  listPipelines,
  replacePipeline,
} from '../../storage/pipelines.js';
import { loadPage, readPosition, timePosition } from '../cursor.js';
import { location } from '../location.js';
import { found } from '../not-found.js';
import { withDefaults } from '../pipeline-steps.js';
import { defineRoute, type Route } from '../route.js';
import { listOf, pageQuery, uuidParam } from '../schemas/common.js';
import { newPipelineSchema, pipelineChangesSchema, pipelineSchema } from '../schemas/pipeline.js';
import { viewPipeline } from '../views/pipeline.js';

const tag = 'Pipelines';
const params = { id: uuidParam('pipeline') };

const list = defineRoute({
  method: 'GET',
  path: '/pipelines',
  operationId: 'listPipelines',
  summary: 'List pipelines',
  description: 'Newest first.',
  tag,
  scope: 'read',
  query: pageQuery,
  responses: { 200: { description: 'A page of pipelines.', schema: listOf(pipelineSchema) } },
  async handler({ deps, query }) {
    const before = readPosition(query.cursor, isUuid);
    const page = await loadPage(
      query.limit,
      (limit) => listPipelines(deps.db, { limit, before }),
      timePosition,
    );
    return { status: 200, body: { ...page, items: page.items.map(viewPipeline) } };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/pipelines',
  operationId: 'createPipeline',
  summary: 'Create a pipeline',
  description: 'Resources of its trigger type that are registered from now on are processed by it.',
  tag,
  scope: 'admin',
  body: newPipelineSchema,
  responses: {
    201: {
      description: 'The pipeline.',
      schema: pipelineSchema,
      headers: { Location: 'Where the pipeline is.' },
    },
  },
  errors: ['UNKNOWN_PLUGIN', 'TRIGGER_TYPE_TAKEN'],
  async handler({ deps, body }) {
    const pipeline = await createPipeline(deps.db, { ...body, steps: body.steps.map(withDefaults) });
    return {
      status: 201,
      headers: location(deps.config, 'pipelines', pipeline.id),
      body: viewPipeline(pipeline),
    };
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/pipelines/:id',
  operationId: 'getPipeline',
  summary: 'Get a pipeline',
  tag,
  scope: 'read',
  params,
  responses: { 200: { description: 'The pipeline.', schema: pipelineSchema } },
  async handler({ deps, params: { id } }) {
    return { status: 200, body: viewPipeline(found(await findPipeline(deps.db, id), 'pipeline', id)) };
  },
});

const replace = defineRoute({
  method: 'PUT',
  path: '/pipelines/:id',
  operationId: 'replacePipeline',
  summary: "Replace a pipeline's steps",
  description: 'Resources that are being processed go on with the steps they began with.',
  tag,
  scope: 'admin',
  params,
  body: pipelineChangesSchema,
  responses: { 200: { description: 'The pipeline.', schema: pipelineSchema } },
  errors: ['UNKNOWN_PLUGIN'],
  async handler({ deps, params: { id }, body }) {
    const changes = Array.isArray(body) ? { steps: body } : body;
    const pipeline = await replacePipeline(deps.db, id, {
      ...changes,
      steps: changes.steps.map(withDefaults),
    });
    return { status: 200, body: viewPipeline(found(pipeline, 'pipeline', id)) };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/pipelines/:id',
  operationId: 'deletePipeline',
  summary: 'Delete a pipeline',
  description: 'Resources that are being processed go on with the steps they began with.',
  tag,
  scope: 'admin',
  params,
  responses: { 204: { description: 'It is gone.' } },
  async handler({ deps, params: { id } }) {
    found((await deletePipeline(deps.db, id)) || null, 'pipeline', id);
    return { status: 204 };
  },
});

export const pipelineRoutes: readonly Route[] = [list, create, get, replace, remove];
