import { acceptOperation } from '../../storage/operations/operations.js';
import { countEligible } from '../../storage/operations/targets.js';
import { findResource } from '../../storage/resources/resources.js';
import { listRuns } from '../../storage/runs/runs.js';
import { cancelResource, reprocessResource } from '../../storage/transitions/resource-requests.js';
import { loadPage, readNumber } from '../lookups/pages.js';
import { cancelledHandbook, handbookAgain } from '../examples/resource.js';
import { found } from '../lookups/found.js';
import { readNewOperation } from '../request/new-operation.js';
import { defineRoute, type Route } from '../route.js';
import { listOf, pageQuery, uuidParam } from '../schemas/common.js';
import { resourceSchema } from '../schemas/resource.js';
import {
  bulkReprocessAnswerSchema,
  bulkReprocessSchema,
  reprocessSchema,
} from '../schemas/resource-requests.js';
import { runSchema } from '../schemas/run.js';
import { viewRun } from '../views/resource.js';
import { showResource } from '../views/show-resource.js';

const tag = 'Resources';
const params = { id: uuidParam('resource') };

const reprocess = defineRoute({
  method: 'POST',
  path: '/resources/:id/reprocess',
  operationId: 'reprocessResource',
  summary: 'Process a resource again',
  description:
    'From step 0 with the current pipeline, or from a step of the last run. Artifacts that are made again keep their ids; the others are removed when the run completes.',
  tag,
  scope: 'write',
  idempotent: true,
  tagged: true,
  params,
  body: reprocessSchema,
  bodyOptional: true,
  bodyExamples: {
    'From the beginning': {},
    'From the step that failed': { from_step: 'failed' },
    'From the second step': { from_step: 1 },
  },
  responses: {
    202: {
      description: 'The resource, PROCESSING.',
      schema: resourceSchema,
      examples: { 'A second run': handbookAgain },
    },
  },
  errors: ['RESOURCE_PROCESSING', 'NO_MATCHING_PIPELINE', 'STEP_NOT_RESUMABLE'],
  async handler({ deps, params: { id }, body, transact }) {
    return await transact(async (trx) => {
      const message = await reprocessResource(trx, id, body.from_step ?? null);
      return { status: 202, ...(await showResource(deps, trx, id)), message };
    });
  },
});

const reprocessMany = defineRoute({
  method: 'POST',
  path: '/resources/reprocess',
  operationId: 'reprocessResources',
  summary: 'Process many resources again',
  description:
    'Reprocesses every matching resource that is not PROCESSING and has a pipeline. It creates an operation, like `POST /operations` with the action `reprocess`.',
  tag,
  scope: 'write',
  idempotent: true,
  body: bulkReprocessSchema,
  responses: { 202: { description: 'The number of resources.', schema: bulkReprocessAnswerSchema } },
  async handler({ body, transact }) {
    const operation = readNewOperation({ action: 'reprocess', filter: body });
    return await transact(async (trx) => {
      const count = await countEligible(trx, operation);
      const { id, message } = await acceptOperation(trx, operation);
      return { status: 202, body: { count, operation_id: id }, message };
    });
  },
});

const cancel = defineRoute({
  method: 'POST',
  path: '/resources/:id/cancel',
  operationId: 'cancelResource',
  summary: 'Stop processing a resource',
  description:
    'The resource is CANCELLED at once if its workflow has not started. Otherwise it stays PROCESSING until the workflow has ended its step.',
  tag,
  scope: 'write',
  tagged: true,
  params,
  responses: {
    202: {
      description: 'The resource.',
      schema: resourceSchema,
      examples: {
        'Stopped before it started': cancelledHandbook,
        'Its workflow has not ended yet': handbookAgain,
      },
    },
  },
  errors: ['RESOURCE_NOT_PROCESSING'],
  async handler({ deps, params: { id }, transact }) {
    return await transact(async (trx) => {
      const message = await cancelResource(trx, id);
      return { status: 202, ...(await showResource(deps, trx, id)), message };
    });
  },
});

const runs = defineRoute({
  method: 'GET',
  path: '/resources/:id/runs',
  operationId: 'listRuns',
  summary: 'List the runs of a resource',
  description: 'Newest first.',
  tag,
  scope: 'read',
  params,
  query: pageQuery,
  responses: { 200: { description: 'A page of runs.', schema: listOf('RunList', runSchema) } },
  async handler({ deps, params: { id }, query }) {
    const before = readNumber(query.cursor);
    found(await findResource(deps.db, id), 'resource', id);
    const page = await loadPage(
      query.limit,
      (limit) => listRuns(deps.db, id, { limit, before }),
      (run) => run.run,
    );
    return { status: 200, body: { ...page, items: page.items.map((run) => viewRun(run, run.steps)) } };
  },
});

export const resourceRunRoutes: readonly Route[] = [reprocess, reprocessMany, cancel, runs];
