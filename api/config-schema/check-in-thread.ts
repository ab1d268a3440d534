import { Worker } from 'node:worker_threads';
import { bundledModule } from '../../core/compiled-module.js';
import type { ValidationFinding } from '../../core/errors.js';
import type { SchemaMessage } from './check.js';

/**
 * Milliseconds a check may take, both by the clock and of this process's processor time. On a busy machine a slow check is
 * not the schema's fault.
 */
const patienceMs = 2_000;
const lookEveryMs = 100;
/** Milliseconds a thread may take to start. */
const startMs = 30_000;
const memoryMb = 64;

export interface Verdict {
  /** Why the schema is invalid; null if it is valid. */
  readonly schemaError: string | null;
  readonly warnings: readonly ValidationFinding[];
}

/**
 * Checks a config in a thread that is terminated if it uses too much, because schemas are untrusted programs. Run one at a
 * time: the processor time of other threads counts too.
 */
export async function checkInThread(schema: string, config: string): Promise<Verdict> {
  const thread = new Worker(bundledModule('config-schema-thread'), {
    workerData: { schema, config },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Verdict>((resolve) => {
      let compiled = false;
      const fail = (reason: string): void =>
        resolve(
          compiled
            ? { schemaError: null, warnings: [{ path: '', message: `cannot be checked: ${reason}` }] }
            : { schemaError: reason, warnings: [] },
        );
      timer = setTimeout(() => fail(`it takes more than ${startMs / 1000} s`), startMs);
      const limit = (): void => {
        const [begun, used] = [performance.now(), process.cpuUsage()];
        clearInterval(timer);
        timer = setInterval(() => {
          const { user, system } = process.cpuUsage(used);
          if (Math.min(performance.now() - begun, (user + system) / 1_000) > patienceMs)
            fail(`it takes more than ${patienceMs / 1_000} s`);
        }, lookEveryMs);
      };
      thread.on('message', (message: SchemaMessage | { readonly ready: true }) => {
        if ('ready' in message) limit();
        else if ('compiled' in message) compiled = true;
        else resolve({ schemaError: null, warnings: [], ...message });
      });
      thread.once('error', (error) => fail(error.message));
      thread.once('exit', () => fail('it ended early'));
    });
  } finally {
    clearInterval(timer);
    await thread.terminate();
  }
}
