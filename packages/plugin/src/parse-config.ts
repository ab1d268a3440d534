import { Ajv, type ValidateFunction } from 'ajv';
import type { JSONSchema } from 'json-schema-to-ts';
import { PluginFailure } from './plugin-failure.js';

const compiled = new WeakMap<object, ValidateFunction>();

/**
 * A schema's validator. It is compiled once, by an instance of its own, so that two schemas may have one `$id`.
 *
 * @throws Error when the schema is not valid
 */
export function compileSchema(schema: object): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = new Ajv({ useDefaults: true, strict: false }).compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

/**
 * Checks a plugin's config against its schema and fills in the schema's defaults: what it returns is a `FromSchema` of
 * the schema. The config that comes in is left as it is. Throws a non-retryable PluginFailure with the code
 * INVALID_CONFIG that names the first wrong key.
 */
export function parseConfig(schema: JSONSchema, config: unknown): unknown {
  const validate = compileSchema(schema as object);
  const parsed: unknown = structuredClone(config ?? {});
  if (validate(parsed)) return parsed;
  const error = validate.errors?.[0];
  // For a missing or forbidden key, ajv reports its would-be location.
  const { missingProperty, additionalProperty } = (error?.params ?? {}) as Readonly<Record<string, string>>;
  const key = [error?.instancePath.slice(1).replaceAll('/', '.'), missingProperty ?? additionalProperty]
    .filter(Boolean)
    .join('.');
  throw new PluginFailure(
    'INVALID_CONFIG',
    `config ${key} ${error?.message ?? 'is invalid'}`.replace('  ', ' '),
    {
      retryable: false,
      details: { key },
    },
  );
}
