import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { compileSchema } from './parse-config.js';
import { messageOf } from './protocol/text.js';
import type { AnyPlugin, PluginDefinition } from './types.js';

const slug = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The config that a schema describes. Without a schema nothing is known of it. */
type ConfigOf<Schema> = [Schema] extends [undefined]
  ? Record<string, unknown>
  : Schema extends JSONSchema
    ? FromSchema<Schema>
    : never;

/**
 * A definition whose schema is taken as it is written. Naming JSONSchema as its bound here would have the compiler
 * compare every schema with that whole type, which it gives up on beyond a few properties.
 */
type Definition<Schema> = Omit<PluginDefinition<JSONSchema, ConfigOf<Schema>>, 'configSchema'> & {
  /** See `PluginDefinition`. Left out, any object is a config. */
  readonly configSchema?: Schema;
};

/**
 * Declares a plugin. The type of `ctx.config` is derived from `configSchema`.
 *
 * @throws TypeError when the id is not a slug, or `configSchema` is not a valid JSON Schema
 */
export function definePlugin<const Schema = undefined>(definition: Definition<Schema>): AnyPlugin {
  const { id, configSchema = {} } = definition;
  if (!slug.test(id)) throw new TypeError(`The id of a plugin must match ${slug.source}: ${id}`);
  try {
    compileSchema(configSchema as object);
  } catch (error) {
    throw new TypeError(
      `The configSchema of the plugin ${id} is not a valid JSON Schema: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
  return { ...definition, configSchema } as unknown as AnyPlugin;
}
