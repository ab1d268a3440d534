import { attemptOutcomes } from '../../core/states.js';
import { attempt, lateAttempt } from '../examples/attempt.js';
import { count, objectOf, objectOrNull, pageParameters, timeOrNull, timestamp } from './common.js';
import { errorFields } from './run.js';
import { typed } from './typed.js';

/** An attempt at a step of a run, with the times that explain its waits. */
export const attemptSchema = {
  ...objectOf({
    run: count('The number of its run.', 1),
    step_index: count('The index of its step.'),
    number: count('Its number among the attempts at the step, from 1.', 1),
    started_at: timeOrNull('When a worker began it; null for activities that do not claim their attempts.'),
    accepted_at: timeOrNull('When an HTTP worker answered 202. From then on, Core waits for its callback.'),
    deadline: { ...timestamp, description: 'When it times out.' },
    finished_at: timeOrNull('When it was settled; null while it is open.'),
    outcome: {
      type: ['string', 'null'],
      enum: [...attemptOutcomes, null],
      description: 'How it ended; null while it is open. SUPERSEDED: another attempt replaced it.',
    },
    error: {
      title: 'AttemptError',
      description: 'Why it failed or, if it is known, why another attempt replaced it.',
      ...objectOrNull(errorFields),
    },
    retry_at: timeOrNull(
      'When the pause after it ends or ended. The next attempt then waits for a worker. Null if no attempt follows it.',
    ),
  }),
  examples: [attempt, lateAttempt],
} as const;

export const attemptsQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    run: {
      type: 'integer',
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only attempts of this run; omit it for all runs.',
      examples: [1],
    },
    ...pageParameters,
  },
});
