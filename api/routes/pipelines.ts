import {
  createPipeline,
  deletePipeline,
  findPipeline,
  listPipelines,
  replacePipeline,
  type Pipeline,
} from '../../storage/pipelines/pipelines.js';
import { documentsId } from '../examples/ids.js';
import { longDocuments, longDocumentSteps } from '../examples/pipeline.js';
import type { ApiDeps } from '../deps.js';
import { location } from '../reply/location.js';
import { replyWithPage } from '../reply/page.js';
import { found } from '../lookups/found.js';
import { withDefaults } from '../registration/pipeline-steps.js';
import { defineRoute, type Reply, type Route } from '../route.js';
import { listOf, pageQuery, uuidParam } from '../schemas/common.js';
import { newPipelineSchema, pipelineChangesSchema, pipelineSchema } from '../schemas/pipeline.js';
import { lockedPipelineTag, pipelineTag } from '../reply/entity-tags.js';
import { viewPipeline } from '../views/pipeline.js';

const tag = 'Pipelines';
const params = { id: uuidParam('pipeline', documentsId) };

const list = defineRoute({
  method: 'GET',
  path: '/pipelines',
  operationId: 'listPipelines',
  summary: 'List pipelines',
  description: 'Newest first.',
  tag,
  scope: 'read',
  query: pageQuery,
  responses: { 200: { description: 'A page of pipelines.', schema: listOf('PipelineList', pipelineSchema) } },
  handler: async ({ deps, query }) =>
    await replyWithPage(query, (page) => listPipelines(deps.db, page), viewPipeline),
});

const create = defineRoute({
  method: 'POST',
  path: '/pipelines',
  operationId: 'createPipeline',
  summary: 'Create a pipeline',
  description: 'The pipeline processes resources of its trigger type that are registered from now on.',
  tag,
  scope: 'admin',
  idempotent: true,
  tagged: true,
  body: newPipelineSchema,
  responses: {
    201: {
      description: 'The pipeline.',
      schema: pipelineSchema,
      headers: { Location: 'The URL of the pipeline.' },
    },
  },
  errors: ['UNKNOWN_PLUGIN', 'TRIGGER_TYPE_TAKEN'],
  async handler({ deps, body, transact }) {
    return await transact(async (trx) => {
      const pipeline = await createPipeline(trx, { ...body, steps: body.steps.map(withDefaults) });
      const { headers, body: shown } = showPipeline(deps, pipeline);
      const where = location(deps.config, 'pipelines', pipeline.id);
      return { status: 201, headers: { ...where, ...headers }, body: shown };
    });
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/pipelines/:id',
  operationId: 'getPipeline',
  summary: 'Get a pipeline',
  tag,
  scope: 'read',
  tagged: true,
  params,
  responses: { 200: { description: 'The pipeline.', schema: pipelineSchema } },
  async handler({ deps, params: { id } }) {
    const pipeline = found(await findPipeline(deps.db, id), 'pipeline', id);
    return { status: 200, ...showPipeline(deps, pipeline) };
  },
});

const replace = defineRoute({
  method: 'PUT',
  path: '/pipelines/:id',
  operationId: 'replacePipeline',
  summary: "Replace a pipeline's steps",
  description: 'Resources that are PROCESSING continue with the steps they began with.',
  tag,
  scope: 'admin',
  tagged: true,
  params,
  body: pipelineChangesSchema,
  bodyExamples: {
    'New steps': { steps: longDocumentSteps },
    'New steps and a new name': { name: 'Long documents', steps: longDocumentSteps },
    'Only the steps': longDocumentSteps,
  },
  responses: {
    200: {
      description: 'The pipeline.',
      schema: pipelineSchema,
      examples: { 'With its new steps': longDocuments },
    },
  },
  errors: ['UNKNOWN_PLUGIN'],
  async handler({ deps, params: { id }, body, ifMatch, transact }) {
    const given = Array.isArray(body) ? { steps: body } : body;
    const changes = { ...given, steps: given.steps.map(withDefaults) };
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedPipelineTag(deps, trx, id));
      const pipeline = found(await replacePipeline(trx, id, changes), 'pipeline', id);
      return { status: 200, ...showPipeline(deps, pipeline) };
    });
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/pipelines/:id',
  operationId: 'deletePipeline',
  summary: 'Delete a pipeline',
  description: 'Resources that are PROCESSING continue with the steps they began with.',
  tag,
  scope: 'admin',
  tagged: true,
  params,
  responses: { 204: { description: 'The pipeline was deleted.' } },
  async handler({ deps, params: { id }, ifMatch, transact }) {
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedPipelineTag(deps, trx, id));
      found((await deletePipeline(trx, id)) || null, 'pipeline', id);
      return { status: 204 };
    });
  },
});

function showPipeline(deps: ApiDeps, pipeline: Pipeline): Pick<Reply, 'headers' | 'body'> {
  return { headers: { ETag: pipelineTag(deps, pipeline) }, body: viewPipeline(pipeline) };
}

export const pipelineRoutes: readonly Route[] = [list, create, get, replace, remove];
