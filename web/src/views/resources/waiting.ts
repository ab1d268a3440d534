import type { ListedResource, Step } from '@knowledge-warehouse/client';

/** Milliseconds. Shorter waits are normal. */
const bearableMs = 10_000;

/** Returns a wait that is too long and may need action by someone; null otherwise. */
export function waitOf({ status, steps = [] }: ListedResource, now: number): Step['waiting_for'] {
  if (status !== 'PROCESSING') return null;
  const current = steps.find((step) => step.status === 'RUNNING' || step.status === 'RETRYING');
  const waiting = current?.waiting_for ?? null;
  // A parser becomes free soon, and a source is being fetched.
  if (waiting === null || waiting.kind === 'room' || waiting.kind === 'fetch') return null;
  // A worker that reports progress is working.
  if (waiting.kind === 'callback' && current?.progress != null) return null;
  return now - Date.parse(current?.started_at ?? '') > bearableMs ? waiting : null;
}
