import { listFailures } from '../../storage/resources/failures.js';
import {
  acceptOperation,
  cancelOperation,
  findOperation,
  listOperations,
  type Operation,
} from '../../storage/operations/operations.js';
import { previewOperation } from '../../storage/operations/targets.js';
import { cancelledOperation, completedOperation, runningOperation } from '../examples/bulk-operation.js';
import { operationId } from '../examples/ids.js';
import { found } from '../lookups/found.js';
import { location } from '../reply/location.js';
import { replyWithPage } from '../reply/page.js';
import { readInstant } from '../request/instants.js';
import { readNewOperation } from '../request/new-operation.js';
import { defineRoute, type Route } from '../route.js';
import { newOperationSchema, operationPreviewSchema, operationSchema } from '../schemas/bulk-operation.js';
import { listOf, pageQuery, uuidParam } from '../schemas/common.js';
import { failuresQuery, failuresSchema } from '../schemas/failure.js';

const tag = 'Bulk operations';
const params = { id: uuidParam('operation', operationId) };
const mostGroups = 1_000;

const create = defineRoute({
  method: 'POST',
  path: '/operations',
  operationId: 'createOperation',
  summary: 'Apply an action to many resources',
  description:
    'The set of resources is fixed when the operation is accepted. The action is applied once to each, by the same rules as for a single resource. Except for `cancel`, it has a lower priority than other work. Resources whose state does not allow the action are skipped. `dry_run` shows what would happen; if you send its `matched` as `expected_matched`, the operation is accepted only if the same number still matches.',
  tag,
  scope: 'write',
  idempotent: true,
  body: newOperationSchema,
  bodyExamples: {
    'Resume at the failed step': {
      action: 'reprocess',
      filter: { type: 'document', status: 'FAILED' },
      from_step: 'failed',
    },
    'See what would be deleted': {
      action: 'delete',
      filter: { metadata: { team: 'archive' } },
      dry_run: true,
    },
    'Mark all as reviewed': { action: 'set_metadata', filter: { all: true }, metadata: { reviewed: true } },
  },
  responses: {
    200: { description: 'What would happen (`dry_run`).', schema: operationPreviewSchema },
    202: {
      description: 'The operation.',
      schema: operationSchema,
      headers: { Location: 'The URL of the operation.' },
      examples: { Accepted: { ...runningOperation, done: 0, skipped: {} } },
    },
  },
  errors: ['PRECONDITION_FAILED'],
  async handler({ deps, body, transact }) {
    const operation = readNewOperation(body);
    return await transact(async (trx) => {
      if (body.dry_run === true)
        return { status: 200, body: await previewOperation(trx, operation), unchanged: true };
      const { id, message } = await acceptOperation(trx, operation);
      const accepted = found(await findOperation(trx, id), 'operation', id);
      const headers = location(deps.config, 'operations', id);
      return { status: 202, headers, body: viewOperation(accepted), message };
    });
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/operations',
  operationId: 'listOperations',
  summary: 'List bulk operations',
  description: 'Newest first. An operation is kept for 30 days after it ends.',
  tag,
  scope: 'read',
  query: pageQuery,
  responses: {
    200: { description: 'A page of operations.', schema: listOf('OperationList', operationSchema) },
  },
  handler: async ({ deps, query }) =>
    await replyWithPage(query, (page) => listOperations(deps.db, page), viewOperation),
});

const get = defineRoute({
  method: 'GET',
  path: '/operations/:id',
  operationId: 'getOperation',
  summary: 'Get a bulk operation',
  tag,
  scope: 'read',
  params,
  responses: {
    200: {
      description: 'The operation.',
      schema: operationSchema,
      examples: { Running: runningOperation, Completed: completedOperation },
    },
  },
  async handler({ deps, params: { id } }) {
    const operation = found(await findOperation(deps.db, id), 'operation', id);
    return { status: 200, body: viewOperation(operation) };
  },
});

const cancel = defineRoute({
  method: 'POST',
  path: '/operations/:id/cancel',
  operationId: 'cancelOperation',
  summary: 'Stop a bulk operation',
  description:
    'Completed changes stay; after this response, nothing more changes. A finished operation stays as it is.',
  tag,
  scope: 'write',
  params,
  responses: {
    200: {
      description: 'The operation.',
      schema: operationSchema,
      examples: { 'Stopped before its end': cancelledOperation },
    },
  },
  async handler({ params: { id }, transact }) {
    return await transact(async (trx) => {
      const changed = await cancelOperation(trx, id);
      const operation = found(await findOperation(trx, id), 'operation', id);
      return { status: 200, body: viewOperation(operation), unchanged: !changed };
    });
  },
});

const failures = defineRoute({
  method: 'GET',
  path: '/failures',
  operationId: 'listFailures',
  summary: 'Group current failures by cause',
  description:
    'One group for each error code, plugin and type, at most 1,000 of them. To resume a group, use an operation with this filter: its `error_code`, its `plugin_id` as `failed_plugin`, its `type`, and `status` FAILED.',
  tag,
  scope: 'read',
  query: failuresQuery,
  responses: { 200: { description: 'The groups.', schema: failuresSchema } },
  async handler({ deps, query: { since, type } }) {
    const items = await listFailures(deps.db, {
      ...(since !== undefined && { since: readInstant(since, '/since') }),
      ...(type !== undefined && { type }),
      limit: mostGroups,
    });
    return { status: 200, body: { items } };
  },
});

const viewOperation = ({ metadata, ...operation }: Operation): object => ({
  ...operation,
  metadata: metadata?.patch ?? null,
});

export const bulkOperationRoutes: readonly Route[] = [create, list, get, cancel, failures];
