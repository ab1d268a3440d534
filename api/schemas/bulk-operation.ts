import { mostOperationIds, operationActions, operationStatuses } from '../../core/operations.js';
import type { OperationAction } from '../../core/operations.js';
import type { ResourceMetadata } from '../../core/metadata.js';
import { completedOperation, operationPreview, runningOperation } from '../examples/bulk-operation.js';
import { resourceId, scanId } from '../examples/ids.js';
import { timestamp, timestampOrNull, uuid } from './common.js';
import { metadataPatchSchema } from './metadata.js';
import { filterSchema, type FilterBody } from './resource-filter.js';
import type { Schema } from './typed.js';

/** What is asked for: an action and the resources. */
export interface NewOperationBody {
  readonly action: OperationAction;
  readonly filter?: FilterBody;
  readonly ids?: readonly string[];
  readonly from_step?: number | 'failed';
  readonly metadata?: ResourceMetadata | null;
  readonly dry_run?: boolean;
}

const action = {
  type: 'string',
  enum: operationActions,
  description: 'What is done to each resource, by the same rules as its own call.',
  examples: ['reprocess'],
} as const;

const fromStep = {
  oneOf: [
    { type: 'integer', minimum: 0, maximum: 49, description: 'The index of a step.' },
    { const: 'failed', description: 'The step at which the last run failed or was cancelled.' },
  ],
  description: 'Of `reprocess`: the step of the last run to go on at. From the beginning when left out.',
  examples: ['failed'],
} as const;

const newOperation = {
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
        'The resources, in place of `filter`. An id that names none is skipped with NOT_FOUND; one that is given twice counts once.',
      examples: [[resourceId, scanId]],
    },
    from_step: fromStep,
    metadata: metadataPatchSchema,
    dry_run: {
      type: 'boolean',
      default: false,
      description: 'Only say what would be done: nothing is changed and no operation is made.',
      examples: [true],
    },
  },
  examples: [{ action: 'reprocess', filter: { type: 'document', status: 'FAILED' }, from_step: 'failed' }],
} as const;
export const newOperationSchema: Schema<NewOperationBody> = newOperation;

const counts = (title: string, description: string): object => ({
  title,
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 1, description: 'How many resources.' },
  description,
  examples: [{ RESOURCE_PROCESSING: 3 }],
});

const count = (description: string): object => ({ type: 'integer', minimum: 0, description });

/** What an operation would do. */
export const operationPreviewSchema = {
  title: 'OperationPreview',
  type: 'object',
  required: ['matched', 'eligible', 'skipped', 'sample'],
  additionalProperties: false,
  properties: {
    matched: count('How many resources are meant.'),
    eligible: count('How many of them the action can be done to now.'),
    skipped: counts('WouldBeSkipped', 'Why the others would be skipped: error code → how many.'),
    sample: { type: 'array', maxItems: 10, items: uuid, description: 'The newest eligible ones.' },
  },
  examples: [operationPreview],
} as const;

export const operationSchema = {
  title: 'Operation',
  type: 'object',
  required: [
    ...['id', 'action', 'filter', 'from_step', 'metadata', 'status', 'matched', 'done', 'skipped', 'failed'],
    ...['stalled', 'created_at', 'finished_at'],
  ],
  additionalProperties: false,
  properties: {
    id: { ...uuid, description: 'Of the operation.' },
    action,
    filter: {
      type: ['object', 'null'],
      description: 'As it was given; null: the resources were named by their ids.',
    },
    from_step: { type: ['integer', 'string', 'null'], description: 'As it was given.' },
    metadata: { type: ['object', 'null'], description: 'As it was given.' },
    status: {
      type: 'string',
      enum: operationStatuses,
      description: 'COMPLETED once every resource was done, skipped or failed.',
    },
    matched: count('How many resources it is about; they were fixed when it was accepted.'),
    done: count('How many of them are done.'),
    skipped: counts(
      'SkippedResources',
      'Resources that were left as they are, by the error code of their own call.',
    ),
    failed: counts('FailedResources', 'Resources for which the action was tried in vain, by error code.'),
    stalled: {
      type: ['string', 'null'],
      description: 'Why it has made no progress for 30 seconds; null: it makes progress, or has ended.',
    },
    created_at: timestamp,
    finished_at: timestampOrNull,
  },
  examples: [runningOperation, completedOperation],
} as const;
