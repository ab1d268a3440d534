import { Worker } from 'node:worker_threads';
import { compiledModule } from '../../core/compiled-module.js';
import { validationFailed, type ValidationFinding } from '../../core/errors.js';
import type { RawJson } from '../../core/json/raw-json.js';
import type { Plugin } from '../../storage/pipelines/plugins.js';
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

interface Verdict {
  /** Why the schema is invalid; null if it is valid. */
  readonly schemaError: string | null;
  readonly warnings: readonly ValidationFinding[];
}

/**
 * Returns where a config does not match its plugin's registered schema; nothing if there is no schema. Throws
 * VALIDATION_FAILED if the schema is invalid or takes more than two seconds or 64 MiB to process.
 */
export async function checkConfigSchema(
  schema: Plugin['config_schema'],
  config: RawJson,
): Promise<readonly ValidationFinding[]> {
  const { schemaError, warnings } = await check(schema, config);
  if (schemaError === null) return warnings;
  throw validationFailed({ path: '/config_schema', message: `is not a JSON Schema: ${schemaError}` });
}

/** Returns where a config does not match a plugin's registered schema. A failed check is reported as a warning too. */
export async function findConfigWarnings(
  schema: Plugin['config_schema'],
  config: RawJson,
): Promise<readonly ValidationFinding[]> {
  const { schemaError, warnings } = await check(schema, config);
  return schemaError === null ? warnings : [{ path: '', message: `cannot be checked: ${schemaError}` }];
}

/** Checks a config in a thread that is terminated if it uses too much, because schemas are untrusted programs. */
async function check(schema: Plugin['config_schema'], config: RawJson): Promise<Verdict> {
  if (schema === null) return { schemaError: null, warnings: [] };
  const thread = new Worker(compiledModule('thread', import.meta.url), {
    workerData: { schema: schema.text, config: config.text },
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
