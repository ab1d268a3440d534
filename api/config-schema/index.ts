import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { validationFailed, type ValidationFinding } from '../../core/errors.js';
import type { RawJson } from '../../core/json/raw-json.js';
import type { Plugin } from '../../storage/pipelines/plugins.js';
import { checkInThread, type Verdict } from './check-in-thread.js';

type PluginSchema = Pick<Plugin, 'id' | 'config_schema'>;

/**
 * Checks configs against the registered schemas of their plugins, one at a time. Nothing is reported for a plugin without a
 * schema.
 */
export interface ConfigChecks {
  /**
   * Returns where a config does not match. Throws VALIDATION_FAILED if the schema is invalid or takes more than two seconds
   * or 64 MiB to process.
   */
  requireSchema(plugin: PluginSchema, config: RawJson): Promise<readonly ValidationFinding[]>;
  /** Returns where a config does not match. A failed check is reported as a warning too. */
  findWarnings(plugin: PluginSchema, config: RawJson): Promise<readonly ValidationFinding[]>;
}

/**
 * Creates the queue of checks. Equal checks that wait or run share one thread, because all replicas of a worker register
 * when they start. Only one check of each plugin waits in the queue, so that a plugin with many slow ones delays each
 * check of the others by at most one.
 */
export function createConfigChecks(): ConfigChecks {
  const oneAtATime = pLimit(1);
  const pending = new Map<string, Promise<Verdict>>();
  /** The last check of each plugin that has one. */
  const lastOf = new Map<string, Promise<unknown>>();

  const check = ({ id, config_schema }: PluginSchema, { text: config }: RawJson): Promise<Verdict> => {
    if (config_schema === null) return Promise.resolve({ schemaError: null, warnings: [] });
    const { text: schema } = config_schema;
    const key = createHash('sha256')
      .update(JSON.stringify([id, schema, config]))
      .digest('hex');
    const equal = pending.get(key);
    if (equal !== undefined) return equal;
    const before = lastOf.get(id) ?? Promise.resolve();
    const verdict = before.then(() => oneAtATime(checkInThread, schema, config));
    const ended = verdict
      .catch(() => undefined)
      .then(() => {
        pending.delete(key);
        if (lastOf.get(id) === ended) lastOf.delete(id);
      });
    pending.set(key, verdict);
    lastOf.set(id, ended);
    return verdict;
  };

  return {
    async requireSchema(plugin, config) {
      const { schemaError, warnings } = await check(plugin, config);
      if (schemaError === null) return warnings;
      throw validationFailed({ path: '/config_schema', message: `is not a JSON Schema: ${schemaError}` });
    },
    async findWarnings(plugin, config) {
      const { schemaError, warnings } = await check(plugin, config);
      return schemaError === null ? warnings : [{ path: '', message: `cannot be checked: ${schemaError}` }];
    },
  };
}
