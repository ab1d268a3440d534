import type { FromSchema } from 'json-schema-to-ts';
import type { ListedAttempt } from '../../storage/runs/attempts.js';
import type { attemptSchema } from '../schemas/attempt.js';

export function viewAttempt(attempt: ListedAttempt): FromSchema<typeof attemptSchema> {
  return {
    run: attempt.run,
    step_index: attempt.step_index,
    number: attempt.number,
    started_at: attempt.started_at?.toISOString() ?? null,
    accepted_at: attempt.accepted_at?.toISOString() ?? null,
    deadline: attempt.deadline.toISOString(),
    finished_at: attempt.settled_at?.toISOString() ?? null,
    outcome: attempt.outcome,
    error: attempt.error,
    retry_at: attempt.retry_at?.toISOString() ?? null,
  };
}
