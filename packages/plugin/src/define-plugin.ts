import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { compileSchema } from './parse-config.js';
import { messageOf } from './protocol/text.js';
import { textOf } from './reason-of.js';
import type { AnyPlugin, PluginDefinition } from './types.js';

const slug = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The config type of a schema; any object without a schema. */
type ConfigOf<Schema> = [Schema] extends [undefined]
  ? Record<string, unknown>
  : Schema extends JSONSchema
    ? FromSchema<Schema>
    : never;

/**
 * A definition that infers the type of its schema. A constraint to JSONSchema here would make the compiler compare
 * every schema with that large type, which fails for schemas of more than a few properties.
 */
type Definition<Schema> = Omit<PluginDefinition<JSONSchema, ConfigOf<Schema>>, 'configSchema'> & {
  /** See `PluginDefinition`. If omitted, any object is a valid config. */
  readonly configSchema?: Schema;
};

/**
 * Defines a plugin. The type of `ctx.config` is derived from `configSchema`.
 *
 * @throws TypeError if the id is not a slug, `run` is missing, `heartbeatSeconds` is below 1, or `configSchema` is not a
 * valid JSON Schema
 */
export function definePlugin<const Schema = undefined>(definition: Definition<Schema>): AnyPlugin {
  const { id, configSchema = {}, heartbeatSeconds = 1 } = definition;
  if (typeof id !== 'string' || !slug.test(id))
    throw new TypeError(`The id of a plugin must match ${slug.source}: ${textOf(id)}`);
  if (typeof definition.run !== 'function') throw new TypeError(`The plugin ${id} has no function run.`);
  if (!(heartbeatSeconds >= 1))
    throw new TypeError(`heartbeatSeconds of the plugin ${id} must be at least 1: ${heartbeatSeconds}`);
  try {
    compileSchema(configSchema as object);
  } catch (error) {
    const message = `The configSchema of the plugin ${id} is not a valid JSON Schema: ${messageOf(error)}`;
    throw new TypeError(message, { cause: error });
  }
  return { ...definition, configSchema } as unknown as AnyPlugin;
}
