import { createHash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { ServiceError, validationFailed, type ValidationFinding } from '../../core/errors.js';
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
   * or 64 MiB to process, and RATE_LIMITED if too many checks of the plugin wait.
   */
  requireSchema(plugin: PluginSchema, config: RawJson): Promise<readonly ValidationFinding[]>;
  /** Returns where a config does not match. A failed check is reported as a warning too. */
  findWarnings(plugin: PluginSchema, config: RawJson): Promise<readonly ValidationFinding[]>;
}

/** The checks of one plugin that wait or run, by what they check. */
interface PluginChecks {
  readonly pending: Map<string, Promise<Verdict>>;
  readonly oneAtATime: LimitFunction;
}

/**
 * Creates the queue of checks. Equal checks that wait or run share one thread, because all replicas of a worker register
 * when they start. Only one check of each plugin waits in the common queue, so that a plugin with many slow ones delays
 * each check of the others by at most one.
 *
 * @param mostPending Different checks of one plugin that may wait or run
 */
export function createConfigChecks(mostPending = 20): ConfigChecks {
  const oneAtATime = pLimit(1);
  const plugins = new Map<string, PluginChecks>();

  /** Throws RATE_LIMITED if too many checks of the plugin wait. */
  const check = async ({ id, config_schema }: PluginSchema, { text: config }: RawJson): Promise<Verdict> => {
    if (config_schema === null) return { schemaError: null, warnings: [] };
    const { text: schema } = config_schema;
    const checks: PluginChecks = plugins.get(id) ?? { pending: new Map(), oneAtATime: pLimit(1) };
    const key = createHash('sha256')
      .update(JSON.stringify([schema, config]))
      .digest('hex');
    const equal = checks.pending.get(key);
    if (equal !== undefined) return await equal;
    if (checks.pending.size >= mostPending)
      throw new ServiceError('RATE_LIMITED', "Too many checks of this plugin's config are waiting.", {
        retry_after_seconds: 10,
      });
    plugins.set(id, checks);
    const verdict = checks.oneAtATime(() => oneAtATime(checkInThread, schema, config));
    checks.pending.set(key, verdict);
    try {
      return await verdict;
    } finally {
      checks.pending.delete(key);
      if (checks.pending.size === 0) plugins.delete(id);
    }
  };

  return {
    async requireSchema(plugin, config) {
      const { schemaError, warnings } = await check(plugin, config);
      if (schemaError === null) return warnings;
      throw validationFailed({ path: '/config_schema', message: `is not a JSON Schema: ${schemaError}` });
    },
    async findWarnings(plugin, config) {
      try {
        const { schemaError, warnings } = await check(plugin, config);
        return schemaError === null ? warnings : [{ path: '', message: `cannot be checked: ${schemaError}` }];
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return [{ path: '', message: `cannot be checked now: ${error.message}` }];
      }
    },
  };
}
