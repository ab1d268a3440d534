import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JSONSchema } from 'json-schema-to-ts';
import { ajvFor } from './ajv-for.js';
import { PluginFailure } from './plugin-failure.js';

const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Returns a schema's validator. It is compiled once, by a separate ajv instance, so that two schemas may have the same
 * `$id`.
 *
 * @throws Error if the schema is invalid
 */
export function compileSchema(schema: object): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    // Core checks formats when the config is saved.
    validate = ajvFor(schema, { useDefaults: true, strict: false, validateFormats: false }).compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

/**
 * Validates a plugin's config and returns a copy with the schema's defaults, a `FromSchema` of the schema. Does not
 * change the given config. Throws a non-retryable PluginFailure INVALID_CONFIG that names the first wrong key.
 */
export function parseConfig(schema: JSONSchema, config: unknown): unknown {
  const validate = compileSchema(schema as object);
  const parsed: unknown = structuredClone(config ?? {});
  if (validate(parsed)) return parsed;
  const error = validate.errors?.[0];
  const key = [error?.instancePath.slice(1).replaceAll('/', '.'), keyBelow(error)].filter(Boolean).join('.');
  throw new PluginFailure('INVALID_CONFIG', `config ${key} ${describe(error)}`.replace('  ', ' '), {
    retryable: false,
    details: { key },
  });
}

/** Returns the missing, forbidden or wrongly named key of an error, for which ajv reports the location of its parent. */
function keyBelow(error: ErrorObject | undefined): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty } = (error?.params ?? {}) as Readonly<
    Record<string, string>
  >;
  return missingProperty ?? additionalProperty ?? unevaluatedProperty ?? error?.propertyName;
}

/** The maximum length of a list of allowed values. */
const longestList = 200;

/** Describes an error after the name of the wrong key. */
function describe(error: ErrorObject | undefined): string {
  if (error?.propertyName !== undefined)
    return `has an invalid name: it ${describe({ ...error, propertyName: undefined })}`;
  const message = error?.message ?? 'is invalid';
  if (error?.keyword === 'required') return 'is missing';
  if (error?.keyword === 'false schema') return 'is unknown';
  if (error?.keyword === 'additionalProperties' || error?.keyword === 'unevaluatedProperties')
    return 'is unknown';
  if (error?.keyword !== 'enum') return message;
  const list = (error.params as { readonly allowedValues: readonly unknown[] }).allowedValues
    .map((value) => (typeof value === 'string' && !isMistakable(value) ? value : JSON.stringify(value)))
    .join(', ');
  return list.length > longestList ? message : `must be one of ${list}`;
}

/** Whether a text needs quotes, because it is blank or looks like another JSON value. */
const isMistakable = (text: string): boolean => /^\s*$|^(true|false|null)$|^-?\d|^["[{]/.test(text);
