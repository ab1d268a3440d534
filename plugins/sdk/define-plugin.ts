import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { AnyPlugin, FailOptions, PluginDefinition } from './types.js';

const slug = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The config that a schema describes. */
type ConfigOf<Schema> = Schema extends JSONSchema ? FromSchema<Schema> : never;

/**
 * A definition whose schema is taken as it is written. Naming JSONSchema as its bound here would have the compiler
 * compare every schema with that whole type, which it gives up on beyond a few properties.
 */
type Definition<Schema> = Omit<PluginDefinition<JSONSchema, ConfigOf<Schema>>, 'configSchema'> & {
  readonly configSchema: Schema;
};

/**
 * Declares a plugin. The type of `ctx.config` is derived from `configSchema`.
 * Throws a TypeError when the id is not a slug.
 */
export function definePlugin<const Schema>(definition: Definition<Schema>): AnyPlugin {
  if (!slug.test(definition.id))
    throw new TypeError(`A plugin's id must match ${slug.source}: ${definition.id}`);
  return definition as unknown as AnyPlugin;
}

/** What `ctx.fail` throws. A plugin may throw it itself where it has no `ctx` at hand. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly options: FailOptions = {},
  ) {
    super(message);
  }
}
