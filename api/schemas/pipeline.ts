import { documents, newDocuments } from '../examples/pipeline.js';
import { label, objectOf, text, timestamp, token, uuid } from './common.js';
import { typed } from './typed.js';

const stepBounds = {
  max_attempts: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 3,
    description: 'The maximum number of attempts, including the first.',
  },
  backoff_seconds: {
    type: 'number',
    minimum: 0,
    maximum: 86_400,
    default: 5,
    description: 'The pause between two attempts.',
  },
  timeout_seconds: {
    type: 'number',
    // "More than 0" as a plain minimum, since some generators do not support a numeric `exclusiveMinimum`.
    minimum: 0.000_001,
    maximum: 604_800,
    default: 300,
    description: 'The time limit of one attempt, rounded to whole milliseconds, at least one.',
  },
} as const;

export const newPipelineStepSchema = {
  type: 'object',
  required: ['plugin_id'],
  additionalProperties: false,
  properties: { plugin_id: token(100, 'A registered plugin.', 'extract-text'), ...stepBounds },
} as const;

const name = label(500, 'The display name.', 'Documents');
const newSteps = {
  type: 'array',
  minItems: 1,
  maxItems: 50,
  items: newPipelineStepSchema,
  description: 'The steps, in this order.',
} as const;

export const newPipelineSchema = typed({
  ...objectOf({
    name,
    trigger_type: label(
      100,
      'The type of the resources that it processes. Each type has at most one pipeline.',
      'document',
    ),
    steps: newSteps,
  }),
  examples: [newDocuments],
});

/** Replaces a pipeline's steps. The body is an object or only the steps. */
export const pipelineChangesSchema = typed({
  title: 'PipelineChanges',
  type: ['object', 'array'],
  required: ['steps'],
  additionalProperties: false,
  properties: { name, steps: newSteps },
  minItems: 1,
  maxItems: 50,
  items: newPipelineStepSchema,
  description: 'The new steps, optionally with a new name, or only the array of steps.',
});

export const pipelineSchema = {
  ...objectOf({
    id: uuid,
    name: text('The display name.', 'Documents'),
    trigger_type: text('The type of the resources that it processes.', 'document'),
    steps: {
      type: 'array',
      description: 'The steps, in this order.',
      items: {
        title: 'PipelineStep',
        ...objectOf({ plugin_id: text('The plugin that runs the step.', 'extract-text'), ...stepBounds }),
      },
    },
    created_at: timestamp,
    updated_at: timestamp,
  }),
  examples: [documents],
} as const;
