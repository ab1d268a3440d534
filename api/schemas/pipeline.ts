import { documents, newDocuments } from '../examples/pipeline.js';
import { label, timestamp, token, uuid } from './common.js';
import { typed } from './typed.js';

const stepBounds = {
  max_attempts: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 3,
    description: 'Attempts at most, the first one counted.',
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
    // "More than 0" as a plain minimum: some generators do not know a numeric `exclusiveMinimum`.
    minimum: 0.000_001,
    maximum: 604_800,
    default: 300,
    description: 'How long one attempt may take; rounded to whole milliseconds, at least one.',
  },
} as const;

/** A step as a pipeline is made with. */
export const newPipelineStepSchema = {
  type: 'object',
  required: ['plugin_id'],
  additionalProperties: false,
  properties: { plugin_id: token(100, 'A registered plugin.', 'extract-text'), ...stepBounds },
} as const;

const name = label(500, 'What people call it.', 'Documents');
const newSteps = {
  type: 'array',
  minItems: 1,
  maxItems: 50,
  items: newPipelineStepSchema,
  description: 'What is done, in this order.',
} as const;

/** Makes a pipeline. */
export const newPipelineSchema = typed({
  type: 'object',
  required: ['name', 'trigger_type', 'steps'],
  additionalProperties: false,
  properties: {
    name,
    trigger_type: label(
      100,
      'The type of the resources it processes; at most one pipeline has it.',
      'document',
    ),
    steps: newSteps,
  },
  examples: [newDocuments],
});

/** Replaces a pipeline's steps: an object, or the steps alone. */
export const pipelineChangesSchema = typed({
  title: 'PipelineChanges',
  type: ['object', 'array'],
  required: ['steps'],
  additionalProperties: false,
  properties: { name, steps: newSteps },
  minItems: 1,
  maxItems: 50,
  items: newPipelineStepSchema,
  description: 'The new steps, with a new name or without, or the array of steps alone.',
});

/** A pipeline. */
export const pipelineSchema = {
  type: 'object',
  required: ['id', 'name', 'trigger_type', 'steps', 'created_at', 'updated_at'],
  additionalProperties: false,
  properties: {
    id: uuid,
    name: { type: 'string', description: 'What people call it.', examples: ['Documents'] },
    trigger_type: {
      type: 'string',
      description: 'The type of the resources it processes.',
      examples: ['document'],
    },
    steps: {
      type: 'array',
      description: 'What is done, in this order.',
      items: {
        title: 'PipelineStep',
        type: 'object',
        required: ['plugin_id', 'max_attempts', 'backoff_seconds', 'timeout_seconds'],
        additionalProperties: false,
        properties: {
          plugin_id: { type: 'string', description: 'The plugin that does it.', examples: ['extract-text'] },
          ...stepBounds,
        },
      },
    },
    created_at: timestamp,
    updated_at: timestamp,
  },
  examples: [documents],
} as const;
