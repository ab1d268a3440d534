import type { ListedResource, Step } from '@knowledge-warehouse/client';
import { useNow } from '../../parts/now.js';

/** Shorter waits are a part of the work. */
const bearableMs = 10_000;

/** What a resource has waited for too long, where somebody may have to do something about it; null where it goes on. */
export function useWaiting({ status, steps = [] }: ListedResource): Step['waiting_for'] {
  const now = useNow();
  if (status !== 'PROCESSING') return null;
  const current = steps.find((step) => step.status === 'RUNNING' || step.status === 'RETRYING');
  const waiting = current?.waiting_for ?? null;
  // A parser is free soon, and a source is being fetched.
  if (waiting === null || waiting.kind === 'room' || waiting.kind === 'fetch') return null;
  // A worker that reports progress is at work.
  if (waiting.kind === 'callback' && current?.progress != null) return null;
  return now - Date.parse(current?.started_at ?? '') > bearableMs ? waiting : null;
}
