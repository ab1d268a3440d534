import { manyAtOnce, timed } from './in-turns.js';
import type { RunningApi } from './parts.js';

/** The load of the engine: resources of so many no-op steps, so many in flight. */
export const steps = 3;
export const inFlight = 50;

/** A task that a Temporal server which is short of processors handed to nobody is handed out again after so long. */
const timeoutSeconds = 30;

/** Makes the pipeline of the type `nothing`. */
export async function createNothing({ client }: RunningApi): Promise<void> {
  await client.expect(201, 'POST', '/pipelines', {
    name: 'Nothing, three times',
    trigger_type: 'nothing',
    steps: Array.from({ length: steps }, () => ({ plugin_id: 'noop', timeout_seconds: timeoutSeconds })),
  });
}

/** Does one after the other, each of which takes all the steps, and returns how many steps a second that were. */
export async function stepsPerSecond(count: number, one: (index: number) => Promise<void>): Promise<number> {
  const ms = await timed(() => manyAtOnce(count, inFlight, one));
  return (count * steps * 1000) / ms;
}
