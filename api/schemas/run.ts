import { runStatuses, stepStatuses, waitingKinds } from '../../core/states.js';
import { run, runAtWork } from '../examples/resource.js';
import {
  count,
  objectOf,
  objectOrNull,
  text,
  textOrNull,
  timeOrNull,
  timestamp,
  timestampOrNull,
} from './common.js';

const seconds = { type: ['number', 'null'], minimum: 0 } as const;

/** The fields of every failure of an attempt. */
export const errorFields = {
  code: text("The plugin's own code, or one of Core's.", 'STEP_TIMED_OUT'),
  message: text('A message for people.'),
  details: { type: 'object', description: 'Further details from the plugin.' },
} as const;

export const stepSchema = objectOf({
  index: count('Its index in the pipeline, from 0.'),
  plugin_id: text('The plugin that runs the step.', 'extract-text'),
  status: {
    type: 'string',
    enum: stepStatuses,
    description: 'RETRYING: an attempt failed and another one will follow.',
  },
  attempt: count('The number of the newest attempt; 0 before the first.'),
  max_attempts: count('The maximum number of attempts; each interrupted attempt adds one.', 1),
  started_at: timeOrNull('When the run reached the step, which may then wait for a worker.'),
  attempt_started_at: timeOrNull(
    'When a worker began the newest attempt; null while none has, and for activities that do not claim their attempts.',
  ),
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
    description: 'The progress that the worker reported.',
    ...objectOrNull({
      fraction: {
        type: ['number', 'null'],
        minimum: 0,
        maximum: 1,
        description: 'The completed fraction, up to 1; null if unknown.',
      },
      message: textOrNull('A short message.', 'page 8 of 20'),
    }),
  },
  error: {
    title: 'StepError',
    description: 'Why the last attempt failed.',
    ...objectOrNull(errorFields),
  },
  waiting_for: {
    title: 'WaitingFor',
    description: 'What the step waits for; null if it runs or has ended.',
    ...objectOrNull({
      kind: {
        type: 'string',
        enum: waitingKinds,
        description:
          'worker: no worker has taken the step yet; callback: its worker will report; retry: the pause before the next attempt; fetch: the URL of the source; room: a free slot of a worker; paused: an operator has paused the activity; workflow: the workflow task of the run keeps failing, or another program started the workflow.',
      },
      until: timeOrNull('When the wait ends at the latest; null if it has no limit.'),
      task_queue: textOrNull('The task queue in which the step waits for a worker.'),
      message: text('A description of the wait, for people.', 'No worker polls the task queue ocr.'),
    }),
  },
});

export const runErrorSchema = {
  title: 'RunError',
  description: 'Why it is FAILED.',
  ...objectOrNull({
    code: text("The code of the step's last error, or one of Core's.", 'STEP_TIMED_OUT'),
    message: text('A message for people.'),
    step: {
      type: ['integer', 'null'],
      description: 'The index of the step that failed; null if none did.',
    },
  }),
} as const;

export const runSchema = {
  ...objectOf({
    run: count('Its number.', 1),
    status: { type: 'string', enum: runStatuses, description: 'The current status.' },
    workflow_id: text('The workflow id, for the Temporal Web UI.'),
    started_at: timestamp,
    finished_at: timestampOrNull,
    error: runErrorSchema,
    steps: {
      type: 'array',
      items: stepSchema,
      description: 'The steps, as they were in the pipeline when the run began.',
    },
  }),
  examples: [runAtWork, run],
} as const;
