import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import {
  ErrorSchemaBuilder,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils';

type Path = readonly (string | number)[];

/** A place where a config does not match, for display in a form. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
}

/** Keywords whose errors only repeat that something below does not match. */
const outer = new Set(['properties', 'items', 'anyOf', '$ref']);

/**
 * Creates a validator that checks a config in the browser without generating code, which the page's policy forbids.
 * `isIgnored` returns whether the page does not know a value.
 */
export function createValidator(isIgnored: (path: Path, value: unknown) => boolean): ValidatorType {
  const validators = new WeakMap<RJSFSchema, Validator>();
  const check = (schema: RJSFSchema, data: unknown): readonly OutputUnit[] => {
    let validator = validators.get(schema);
    if (validator === undefined) {
      validator = new Validator(structuredClone(schema) as Schema, '2020-12', false);
      validators.set(schema, validator);
    }
    // A form uses undefined for unset values, which JSON does not have.
    const text = JSON.stringify(data) as string | undefined;
    return validator.validate(text === undefined ? {} : (JSON.parse(text) as unknown)).errors;
  };
  const find = (schema: RJSFSchema, data: unknown): readonly Finding[] =>
    check(schema, data)
      .filter(({ keyword }) => !outer.has(keyword))
      .map((unit) => toFinding(unit))
      .filter(({ path }) => !isIgnored(path, valueAt(data, path)));
  return {
    isValid: (schema, data) => check(schema, data).length === 0,
    rawValidation: (schema, data) => ({ errors: [...check(schema, data)] as never[] }),
    validateFormData(data, schema) {
      const findings = find(schema, data);
      return { errors: findings.map(toError), errorSchema: toErrorSchema(findings) };
    },
  };
}

/** Converts findings for a form, each at its field. */
export function toErrorSchema(findings: readonly Finding[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of findings) builder.addErrors(message, [...path]);
  return builder.ErrorSchema;
}

/** Splits a JSON Pointer into members. Numeric segments become indexes. */
export const toPath = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

function toFinding({ keyword, instanceLocation, error }: OutputUnit): Finding {
  const path = toPath(decodeURI(instanceLocation.replace(/^#/, '')));
  const missing = keyword === 'required' ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
  if (missing !== undefined) return { path: [...path, missing], message: 'It must be set.' };
  return { path, message: error };
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    data,
  );
}

const toError = ({ path, message }: Finding): RJSFValidationError => ({
  property: path.map((key) => `.${key}`).join(''),
  message,
  stack: `${path.join('.')} ${message}`,
});
