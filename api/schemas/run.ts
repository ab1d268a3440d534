import { runStatuses, stepStatuses, waitingKinds } from '../../core/states.js';
import { run, runAtWork } from '../examples/resource.js';
import { timestamp, timestampOrNull } from './common.js';

const seconds = { type: ['number', 'null'], minimum: 0 } as const;

/** The fields of every failure of an attempt. */
export const errorFields = {
  code: {
    type: 'string',
    description: "The plugin's own code, or one of Core's.",
    examples: ['STEP_TIMED_OUT'],
  },
  message: { type: 'string', description: 'A message for people.' },
  details: { type: 'object', description: 'Further details from the plugin.' },
} as const;

const stepError = {
  title: 'StepError',
  type: ['object', 'null'],
  required: ['code', 'message', 'details'],
  additionalProperties: false,
  description: 'Why the last attempt failed.',
  properties: errorFields,
} as const;

export const stepSchema = {
  type: 'object',
  required: [
    'index',
    'plugin_id',
    'status',
    'attempt',
    'max_attempts',
    'started_at',
    'attempt_started_at',
    'finished_at',
    'queue_seconds',
    'run_seconds',
    'progress',
    'error',
    'waiting_for',
  ],
  additionalProperties: false,
  properties: {
    index: { type: 'integer', minimum: 0, description: 'Its index in the pipeline, from 0.' },
    plugin_id: { type: 'string', description: 'The plugin that does the step.', examples: ['extract-text'] },
    status: {
      type: 'string',
      enum: stepStatuses,
      description: 'RETRYING: an attempt failed and another one will follow.',
    },
    attempt: {
      type: 'integer',
      minimum: 0,
      description: 'The number of the newest attempt; 0 before the first.',
    },
    max_attempts: {
      type: 'integer',
      minimum: 1,
      description: 'The maximum number of attempts; each interrupted attempt adds one.',
    },
    started_at: {
      ...timestampOrNull,
      description: 'When the run reached the step, which may then wait for a worker.',
    },
    attempt_started_at: {
      ...timestampOrNull,
      description:
        'When a worker began the newest attempt; null while none has, and for activities that do not claim their attempts.',
    },
    finished_at: timestampOrNull,
    queue_seconds: {
      ...seconds,
      description: 'How long the step waited for a worker before its first attempt; null if none has begun.',
      examples: [0.4],
    },
    run_seconds: {
      ...seconds,
      description:
        'How long workers spent on the step: the time of all attempts without the pauses between them. Null until the step has ended, and for activities that do not claim their attempts.',
      examples: [1.8],
    },
    progress: {
      title: 'StepProgress',
      type: ['object', 'null'],
      required: ['fraction', 'message'],
      additionalProperties: false,
      description: 'The progress that the worker reported.',
      properties: {
        fraction: {
          type: ['number', 'null'],
          minimum: 0,
          maximum: 1,
          description: 'The completed fraction, up to 1; null if unknown.',
        },
        message: { type: ['string', 'null'], description: 'A short message.', examples: ['page 8 of 20'] },
      },
    },
    error: stepError,
    waiting_for: {
      title: 'WaitingFor',
      type: ['object', 'null'],
      required: ['kind', 'until', 'task_queue', 'message'],
      additionalProperties: false,
      description: 'What the step waits for; null if it runs or has ended.',
      properties: {
        kind: {
          type: 'string',
          enum: waitingKinds,
          description:
            'worker: no worker has taken the step yet; callback: its worker will report; retry: the pause before the next attempt; fetch: the URL of the source; room: a free slot of a worker; paused: an operator has paused the activity; workflow: the workflow task of the run keeps failing, or another program started the workflow.',
        },
        until: {
          ...timestampOrNull,
          description: 'When the wait ends at the latest; null if it has no limit.',
        },
        task_queue: {
          type: ['string', 'null'],
          description: 'The task queue in which the step waits for a worker.',
        },
        message: {
          type: 'string',
          description: 'A description of the wait, for people.',
          examples: ['No worker polls the task queue ocr.'],
        },
      },
    },
  },
} as const;

export const runErrorSchema = {
  title: 'RunError',
  type: ['object', 'null'],
  required: ['code', 'message', 'step'],
  additionalProperties: false,
  description: 'Why it is FAILED.',
  properties: {
    code: {
      type: 'string',
      description: "The code of the step's last error, or one of Core's.",
      examples: ['STEP_TIMED_OUT'],
    },
    message: { type: 'string', description: 'A message for people.' },
    step: {
      type: ['integer', 'null'],
      description: 'The index of the step that failed; null if none did.',
    },
  },
} as const;

export const runSchema = {
  type: 'object',
  required: ['run', 'status', 'workflow_id', 'started_at', 'finished_at', 'error', 'steps'],
  additionalProperties: false,
  properties: {
    run: { type: 'integer', minimum: 1, description: 'Its number.' },
    status: { type: 'string', enum: runStatuses, description: 'The current status.' },
    workflow_id: { type: 'string', description: 'The workflow id, for the Temporal Web UI.' },
    started_at: timestamp,
    finished_at: timestampOrNull,
    error: runErrorSchema,
    steps: {
      type: 'array',
      items: stepSchema,
      description: 'The steps, as they were in the pipeline when the run began.',
    },
  },
  examples: [runAtWork, run],
} as const;
