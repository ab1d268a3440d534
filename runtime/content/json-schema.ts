import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { clip, excludedKeys } from '@knowledge-warehouse/plugin/protocol';
import type { ValidationFinding } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import { holdsMoreThan } from '../../core/json/json-bounds.js';
import { pointerSegment } from '../../core/json/json-pointer.js';
import { mergeChoiceErrors } from './choice-errors.js';

const mostFindings = 20;
/** The longest path in a message; it may contain long names. */
const longestPath = 500;

/**
 * For an invalid value with more parts than this, validation stops at the first error: ajv collects errors without a
 * limit.
 */
const mostValues = 2_000;

/** Creates an ajv instance: strict, with formats and discriminators, without type coercion. */
function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    discriminator: true,
    allowUnionTypes: true,
    strictRequired: false,
  });
  addFormats.default(ajv);
  // The format of ajv-formats also accepts "urn:uuid:…", which PostgreSQL does not.
  ajv.addFormat('uuid', isUuid);
  // How a URL query parameter is written; api/request/query.ts reads these keywords.
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

/** Implements `x-trim`: other keywords, and all later readers of the value, see the text without surrounding spaces. */
function trimInPlace(_wanted: boolean, text: string, _schema?: unknown, place?: DataValidationCxt): boolean {
  if (place !== undefined)
    (place.parentData as Record<string, unknown>)[place.parentDataProperty] = text.trim();
  return true;
}

function compiler(allErrors: boolean): (schema: object) => ValidateFunction {
  const ajv = createAjv(allErrors);
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };
}

const firstError = compiler(false);
const allErrors = compiler(true);

/** Validates a value against a JSON Schema (draft 2020-12) and returns the findings, if any. Runs in linear time. */
export function findingsOf(schema: object, value: unknown): ValidationFinding[] {
  let validate = firstError(schema);
  if (validate(value)) return [];
  if (!holdsMoreThan(mostValues, value)) {
    validate = allErrors(schema);
    validate(value);
  }
  // These only repeat the errors of the failed branch, or of the name.
  const errors = mergeChoiceErrors((validate.errors ?? []).map(nameValues)).filter(
    ({ keyword }) => !['if', 'propertyNames'].includes(keyword),
  );
  return errors.slice(0, mostFindings).map(toFinding);
}

/** Describes the first finding, for the end of a sentence. */
export const firstReason = ([first]: readonly ValidationFinding[]): string =>
  first === undefined ? '' : `: ${first.path && `${clip(first.path, longestPath)}: `}${first.message}`;

/** Names the allowed values in the message of an error. */
function nameValues(error: ErrorObject): ErrorObject {
  const { allowedValue, allowedValues } = error.params as Record<string, unknown>;
  if (error.keyword === 'const') return { ...error, message: `must be ${String(allowedValue)}` };
  if (error.keyword !== 'enum') return error;
  return { ...error, message: `must be one of ${(allowedValues as unknown[]).join(', ')}` };
}

function toFinding(error: ErrorObject): ValidationFinding {
  const { instancePath: path, keyword, propertyName, message = 'is not valid' } = error;
  const params = error.params as Record<string, unknown>;
  const below = (key: unknown): string => `${path}/${pointerSegment(String(key))}`;
  if (propertyName !== undefined)
    return { path: below(propertyName), message: `has an invalid name: it ${message}` };
  if (keyword === 'additionalProperties')
    return { path: below(params['additionalProperty']), message: 'is unknown' };
  if (keyword === 'required') return { path: below(params['missingProperty']), message: 'is missing' };
  return { path, message: keyword === 'not' ? excludedKeys : message };
}
