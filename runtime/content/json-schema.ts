import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import type { ValidationFinding } from '../../core/errors.js';
import { holdsMoreThan } from '../../core/json-bounds.js';

/** Findings past this many are left out: a client mends the first ones first. */
const mostFindings = 20;

/** Values past which a value that is not valid is told its first findings alone: ajv collects without a bound. */
const mostValues = 2_000;

/** An instance of ajv: strict, formats known, discriminators followed, nothing coerced. */
export function createAjv({ allErrors = true } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    discriminator: true,
    allowUnionTypes: true,
    strictRequired: false,
  });
  addFormats.default(ajv);
  // How a parameter of a URL's query is written; api/request/query.ts reads them.
  ajv.addVocabulary(['x-repeated', 'x-prefix']);
  ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    schemaType: 'boolean',
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate: trimInPlace,
  });
  ajv.addKeyword({
    keyword: 'x-well-formed',
    type: 'string',
    schemaType: 'boolean',
    error: { message: 'must not contain half of a surrogate pair' },
    validate: (_wanted: boolean, text: string) => text.isWellFormed(),
  });
  return ajv;
}

/** What `x-trim` does: the keywords beside it, and whoever reads the value after, see the text without spaces around it. */
function trimInPlace(_wanted: boolean, text: string, _schema?: unknown, place?: DataValidationCxt): boolean {
  if (place !== undefined)
    (place.parentData as Record<string, unknown>)[place.parentDataProperty] = text.trim();
  return true;
}

/** Compiles each schema once. */
function compiler(allErrors: boolean): (schema: object) => ValidateFunction {
  const ajv = createAjv({ allErrors });
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };
}

const firstError = compiler(false);
const allErrors = compiler(true);

/**
 * Validates a value against a JSON Schema (draft 2020-12) and returns the findings; none if it is valid.
 * Takes time linear in the value.
 */
export function findingsOf(schema: object, value: unknown): ValidationFinding[] {
  let validate = firstError(schema);
  if (validate(value)) return [];
  if (!holdsMoreThan(mostValues, value)) {
    validate = allErrors(schema);
    validate(value);
  }
  // That a branch of `if` failed says nothing beside what failed in it.
  const errors = (validate.errors ?? []).filter((error) => error.keyword !== 'if');
  return errors.slice(0, mostFindings).map(toFinding);
}

function toFinding(error: ErrorObject): ValidationFinding {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    return {
      path: `${error.instancePath}/${pointerSegment(params['additionalProperty'])}`,
      message: 'is unknown',
    };
  }
  if (error.keyword === 'required') {
    return {
      path: `${error.instancePath}/${pointerSegment(params['missingProperty'])}`,
      message: 'is missing',
    };
  }
  if (error.keyword === 'enum') {
    return {
      path: error.instancePath,
      message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`,
    };
  }
  return { path: error.instancePath, message: error.message ?? 'is not valid' };
}

const pointerSegment = (name: unknown): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1');
