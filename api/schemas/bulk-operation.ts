import { mostOperationIds, operationActions, operationStatuses } from '../../core/operations.js';
import type { OperationAction } from '../../core/operations.js';
import type { ResourceMetadata } from '../../core/resources/metadata.js';
import { completedOperation, operationPreview, runningOperation } from '../examples/bulk-operation.js';
import { resourceId, scanId } from '../examples/ids.js';
import { count, objectOf, textOrNull, timestamp, timestampOrNull, uuid } from './common.js';
import { metadataPatchSchema } from './metadata.js';
import { filterSchema, type FilterBody } from './resource-filter.js';
import { readAs } from './typed.js';

/** A request for an operation: an action and the resources. */
export interface NewOperationBody {
  readonly action: OperationAction;
  readonly filter?: FilterBody;
  readonly ids?: readonly string[];
  readonly from_step?: number | 'failed';
  readonly metadata?: ResourceMetadata | null;
  readonly expected_matched?: number;
  readonly dry_run?: boolean;
}

const action = {
  type: 'string',
  enum: operationActions,
  description: 'The action for each resource, by the same rules as for a single resource.',
  examples: ['reprocess'],
} as const;

const fromStep = {
  oneOf: [
    { type: 'integer', minimum: 0, maximum: 49, description: 'The index of a step.' },
    { const: 'failed', description: 'The step at which the last run failed or was cancelled.' },
  ],
  description: 'For `reprocess`: the step of the last run to resume at. Default: from the beginning.',
  examples: ['failed'],
} as const;

export const newOperationSchema = readAs<NewOperationBody>({
  title: 'NewOperation',
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: {
    action,
    filter: filterSchema([]),
    ids: {
      type: 'array',
      minItems: 1,
      maxItems: mostOperationIds,
      items: {
        ...uuid,
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'The id of a resource.',
      },
      description:
        'The resources, instead of `filter`. An unknown id is skipped with NOT_FOUND; a repeated id counts once.',
      examples: [[resourceId, scanId]],
    },
    from_step: fromStep,
    metadata: metadataPatchSchema,
    expected_matched: {
      type: 'integer',
      minimum: 0,
      description:
        'The `matched` of an earlier `dry_run`. If a different number of resources matches now, the response is 412 and nothing changes.',
      examples: [3],
    },
    dry_run: {
      type: 'boolean',
      default: false,
      description: 'Only reports what would happen: changes nothing and creates no operation.',
      examples: [true],
    },
  },
  examples: [{ action: 'reprocess', filter: { type: 'document', status: 'FAILED' }, from_step: 'failed' }],
});

const counts = (title: string, description: string): object => ({
  title,
  type: 'object',
  additionalProperties: count('The number of resources.', 1),
  description,
  examples: [{ RESOURCE_PROCESSING: 3 }],
});

export const operationPreviewSchema = {
  title: 'OperationPreview',
  ...objectOf({
    matched: count('The number of resources that match.'),
    eligible: count('How many of them the action applies to now.'),
    skipped: counts(
      'WouldBeSkipped',
      'Why the others would be skipped or fail: error code → number of resources.',
    ),
    sample: { type: 'array', maxItems: 10, items: uuid, description: 'The newest eligible ones.' },
  }),
  examples: [operationPreview],
} as const;

export const operationSchema = {
  title: 'Operation',
  ...objectOf({
    id: { ...uuid, description: 'The id of the operation.' },
    action,
    filter: {
      type: ['object', 'null'],
      description: 'As given in the request; null if the request named the resources by id.',
    },
    from_step: { type: ['integer', 'string', 'null'], description: 'As given in the request.' },
    metadata: { type: ['object', 'null'], description: 'As given in the request.' },
    status: {
      type: 'string',
      enum: operationStatuses,
      description: 'COMPLETED once every resource is done, skipped or failed.',
    },
    matched: count('The number of its resources, which were fixed when it was accepted.'),
    done: count('How many of them are done.'),
    skipped: counts(
      'SkippedResources',
      'Resources that were left unchanged, by the error code that the same request for one resource returns.',
    ),
    failed: counts('FailedResources', 'Resources for which the action failed, by error code.'),
    stalled: textOrNull(
      'Why it has made no progress for 30 seconds; null if it makes progress or has ended.',
    ),
    created_at: timestamp,
    finished_at: timestampOrNull,
  }),
  examples: [runningOperation, completedOperation],
} as const;
