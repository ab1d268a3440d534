import type { ListedResource, Step } from '@knowledge-warehouse/client';

/** Milliseconds. Shorter waits are normal. */
const bearableMs = 10_000;

/** The task queues of steps that call other servers (decision 185). */
const callingQueues: ReadonlySet<string | null> = new Set([
  'kw-core-plugins',
  'kw-core-sources',
  'kw-core-services',
]);

/** Returns a wait that is too long and may need action by someone; null otherwise. */
export function waitOf({ status, steps = [] }: ListedResource, now: number): Step['waiting_for'] {
  if (status !== 'PROCESSING') return null;
  const current = steps.find((step) => step.status === 'RUNNING' || step.status === 'RETRYING');
  const waiting = current?.waiting_for ?? null;
  // A source is being fetched.
  if (waiting === null || waiting.kind === 'fetch') return null;
  // A parser becomes free soon, but other servers may keep all other slots for long.
  if (waiting.kind === 'room' && !callingQueues.has(waiting.task_queue)) return null;
  // A worker that reports progress is working.
  if (waiting.kind === 'callback' && current?.progress != null) return null;
  return now - Date.parse(current?.started_at ?? '') > bearableMs ? waiting : null;
}
