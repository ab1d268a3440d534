import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

declare const shape: unique symbol;

/** A JSON Schema that knows the TypeScript type of what it accepts. */
export type Schema<T> = object & { readonly [shape]?: T };

/** The type of what a JSON Schema accepts. */
export type TypeOf<S extends JSONSchema> = FromSchema<S, { keepDefaultedPropertiesOptional: true }>;

/**
 * A JSON Schema as one that knows its type. Derived here, once: inferring it inside a route's declaration is deeper
 * than the compiler goes. A schema whose type is written down elsewhere is declared as such: `const body: Schema<Type> = schema`.
 */
export function typed<const S extends JSONSchema>(schema: S): Schema<TypeOf<S>> {
  return schema as Schema<TypeOf<S>>;
}

/** A schema of a body that the handler gets as another type, because its `bodyForm` leaves parts of it as text. */
export function readAs<T>(schema: object): Schema<T> {
  return schema;
}
