import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import {
  ErrorSchemaBuilder,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils';

type Path = readonly (string | number)[];

/** Where a config does not match, as a form shows it. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
}

/** What only says that something below it does not match. */
const outer = new Set(['properties', 'items', 'anyOf', '$ref']);

/**
 * Checks a config in the browser without making code of its schema, which the page's policy forbids. `isIgnored` tells
 * of places whose value the page does not know.
 */
export function createValidator(isIgnored: (path: Path, value: unknown) => boolean): ValidatorType {
  const validators = new WeakMap<RJSFSchema, Validator>();
  const check = (schema: RJSFSchema, data: unknown): readonly OutputUnit[] => {
    let validator = validators.get(schema);
    if (validator === undefined) {
      validator = new Validator(structuredClone(schema) as Schema, '2020-12', false);
      validators.set(schema, validator);
    }
    // A form says undefined of what is not set, which is no value of JSON.
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

/** Findings as a form takes them: each at its field. */
export function toErrorSchema(findings: readonly Finding[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of findings) builder.addErrors(message, [...path]);
  return builder.ErrorSchema;
}

/** The members that a JSON Pointer names. What reads as a number is the place of an item. */
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
