import { manyAtOnce, timed } from './in-turns.js';
import type { RunningApi } from './parts.js';

/** The load of the engine: the number of steps of each resource, and of resources in flight. */
export const steps = 3;
export const inFlight = 50;

/** A Temporal server without free processors may lose a task; it dispatches the task again after this time. */
const timeoutSeconds = 30;

export async function createNoopPipeline(api: RunningApi): Promise<void> {
  const each = Array.from({ length: steps }, () => ({ plugin_id: 'noop', timeout_seconds: timeoutSeconds }));
  await api.addPipeline('nothing', each);
}

/** Runs resources or workflows with all the steps, and returns the steps per second. */
export async function stepsPerSecond(count: number, one: (index: number) => Promise<void>): Promise<number> {
  const ms = await timed(() => manyAtOnce(count, inFlight, one));
  return (count * steps * 1000) / ms;
}
