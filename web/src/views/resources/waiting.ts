import type { ListedResource, Step } from '@knowledge-warehouse/client';

/** What a resource waits for, where somebody may have to do something about it; null where its work goes on. */
export function waitingOf({ status, steps = [] }: ListedResource): Step['waiting_for'] {
  if (status !== 'PROCESSING') return null;
  const current = steps.find((step) => step.status === 'RUNNING' || step.status === 'RETRYING');
  const waiting = current?.waiting_for ?? null;
  // A parser is free soon, and a source is being fetched.
  return waiting === null || waiting.kind === 'room' || waiting.kind === 'fetch' ? null : waiting;
}
