import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ValidationFinding } from '../core/errors.js';

/** Findings past this many are left out: a client mends the first ones first. */
const mostFindings = 20;

/** The one instance of ajv: strict, all errors, formats known, discriminators followed, nothing coerced. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, discriminator: true, allowUnionTypes: true, strictRequired: false });
  addFormats.default(ajv);
  return ajv;
}

const ajv = createAjv();
const compiled = new WeakMap<object, ValidateFunction>();

/** Checks a value against a JSON Schema (draft 2020-12). Returns what is wrong, nothing when all is well. */
export function findingsOf(schema: object, value: unknown): ValidationFinding[] {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, mostFindings).map(toFinding);
}

function toFinding(error: ErrorObject): ValidationFinding {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    return { path: `${error.instancePath}/${pointerSegment(params['additionalProperty'])}`, message: 'is not known here' };
  }
  if (error.keyword === 'required') {
    return { path: `${error.instancePath}/${pointerSegment(params['missingProperty'])}`, message: 'is missing' };
  }
  if (error.keyword === 'enum') {
    return { path: error.instancePath, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` };
  }
  return { path: error.instancePath, message: error.message ?? 'is not valid' };
}

const pointerSegment = (name: unknown): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1');
