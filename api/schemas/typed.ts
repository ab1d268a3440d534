import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

declare const shape: unique symbol;

/** A JSON Schema with the TypeScript type of the values it accepts. */
export type Schema<T> = object & { readonly [shape]?: T };

/** The type of the values that a JSON Schema accepts. */
export type TypeOf<S extends JSONSchema> = FromSchema<S, { keepDefaultedPropertiesOptional: true }>;

/**
 * Adds the type to a JSON Schema. It is inferred here once, because inference inside a route's declaration is too deep
 * for the compiler.
 */
export function typed<const S extends JSONSchema>(schema: S): Schema<TypeOf<S>> {
  return schema as Schema<TypeOf<S>>;
}

/**
 * Gives a schema a TypeScript type that cannot be derived from it: one that is declared elsewhere, or that of a body which
 * `bodyForm` changes before the handler gets it.
 */
export function readAs<T>(schema: object): Schema<T> {
  return schema;
}
