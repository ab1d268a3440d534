import { listAttempts, type AttemptPosition, type ListedAttempt } from '../../storage/runs/attempts.js';
import { findResource } from '../../storage/resources/resources.js';
import { found } from '../lookups/found.js';
import { loadPage, readCursor, refuseCursor } from '../lookups/pages.js';
import { defineRoute, type Route } from '../route.js';
import { attemptSchema, attemptsQuery } from '../schemas/attempt.js';
import { listOf, uuidParam } from '../schemas/common.js';
import { viewAttempt } from '../views/attempt.js';

const list = defineRoute({
  method: 'GET',
  path: '/resources/:id/attempts',
  operationId: 'listAttempts',
  summary: 'List the attempts at the steps of a resource',
  description:
    'Newest first, of all runs or of one. Together with the times of the steps in `GET /resources/{id}/runs`, they show how a run spent its time:\n\n- From `started_at` of the step, or `retry_at` of an attempt, to `started_at` of the next attempt, the step waits for a worker.\n- From `accepted_at` on, Core waits for the callback of an HTTP worker.\n- From `finished_at` to `retry_at`, the run pauses.\n\nSteps that a resumed run kept have their attempts in the run that made them.\n\nIf an activity does not claim its attempts, Temporal retries it without telling Core: the list then has only the last one, with `started_at: null`.',
  tag: 'Resources',
  scope: 'read',
  params: { id: uuidParam('resource') },
  query: attemptsQuery,
  responses: { 200: { description: 'A page of attempts.', schema: listOf('AttemptList', attemptSchema) } },
  async handler({ deps, params: { id }, query }) {
    const before = readAttemptPosition(query.cursor);
    found(await findResource(deps.db, id), 'resource', id);
    const page = await loadPage(
      query.limit,
      (limit) => listAttempts(deps.db, id, { run: query.run ?? null, limit, before }),
      ({ run, step_index, number }: ListedAttempt) => [run, step_index, number],
    );
    return { status: 200, body: { ...page, items: page.items.map(viewAttempt) } };
  },
});

/** Reads the attempt in a cursor; null without one. Throws VALIDATION_FAILED. */
function readAttemptPosition(cursor: string | undefined): AttemptPosition | null {
  if (cursor === undefined) return null;
  const value = readCursor(cursor);
  const isPosition =
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((part) => Number.isInteger(part) && part >= 0 && part < 2 ** 31);
  if (!isPosition) throw refuseCursor();
  return value as unknown as AttemptPosition;
}

export const attemptRoutes: readonly Route[] = [list];
