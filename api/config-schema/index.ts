import { Worker } from 'node:worker_threads';
import { validationFailed, type ValidationFinding } from '../../core/errors.js';
import type { Plugin } from '../../storage/plugins.js';
import type { SchemaVerdict } from './check.js';

const patienceMs = 3_000;
const memoryMb = 64;

/** Compiled or not as this module is. */
const threadModule = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Where a config does not match the plugin's schema; nothing without a schema. Throws VALIDATION_FAILED when the
 * schema is none, or takes more than seconds or 64 MiB: schemas are strangers' programs, so they run in a thread
 * that is ended then.
 */
export async function findConfigWarnings(
  schema: Plugin['config_schema'],
  config: Record<string, unknown>,
): Promise<readonly ValidationFinding[]> {
  if (schema === null) return [];
  const verdict = await checkInThread(JSON.stringify(schema), JSON.stringify(config));
  if (verdict.schemaError !== null) {
    throw validationFailed({
      path: '/config_schema',
      message: `is not a JSON Schema: ${verdict.schemaError}`,
    });
  }
  return verdict.warnings;
}

async function checkInThread(schema: string, config: string): Promise<SchemaVerdict> {
  const thread = new Worker(threadModule, {
    workerData: { schema, config },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<SchemaVerdict>((resolve) => {
      const fail = (reason: string): void => resolve({ schemaError: reason, warnings: [] });
      timer = setTimeout(() => fail(`it takes more than ${patienceMs / 1000} s to check`), patienceMs);
      thread.once('message', resolve);
      thread.once('error', (error) => fail(error.message));
      thread.once('exit', () => fail('it cannot be checked'));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
