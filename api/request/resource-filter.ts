import { validationFailed, type ValidationFinding } from '../../core/errors.js';
import type {
  MetadataBound,
  MetadataCondition,
  MetadataScalar,
  ResourceFilter,
} from '../../core/resources/resource-filter.js';
import {
  takesList,
  type FilterBody,
  type FilterParameters,
  type MetadataAsked,
} from '../schemas/resource-filter.js';
import { readInstant } from './instants.js';

/** Returns the filter in the valid query of a list. Throws VALIDATION_FAILED. */
export function filterOfQuery(query: FilterParameters): ResourceFilter {
  const { metadata = {}, ...rest } = query;
  return { ...readCommon(rest, ''), ...withConditions(conditionsOfQuery(metadata)) };
}

/**
 * Returns the filter in a body's valid `filter` object. Throws VALIDATION_FAILED.
 *
 * @param path The place of the object in the body, as a JSON Pointer.
 */
export function filterOfBody(filter: FilterBody, path = '/filter'): ResourceFilter {
  const { metadata = {}, ...rest } = filter;
  const conditions = Object.entries(metadata).map(([key, asked]) => conditionOfBody(key, asked));
  const common: Omit<FilterParameters, 'metadata'> = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      takesList(name) && value !== null ? listed(value as unknown) : value,
    ]),
  );
  return { ...readCommon(common, path), ...withConditions(conditions) };
}

const listed = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

const instants = ['created_after', 'created_before', 'updated_after', 'updated_before'] as const;

function readCommon(
  filter: Omit<FilterParameters, 'metadata'>,
  path: string,
): Omit<ResourceFilter, 'metadata'> {
  const times = instants.flatMap((name) => {
    const text = filter[name];
    return text === undefined ? [] : [[name, readInstant(text, `${path}/${name}`)]];
  });
  return {
    ...filter,
    ...(filter.connector_id && { connector_id: filter.connector_id.map((id) => id.toLowerCase()) }),
    ...(filter.sha256 && { sha256: filter.sha256.map((hash) => hash.toLowerCase()) }),
    ...(Object.fromEntries(times) as Pick<ResourceFilter, (typeof instants)[number]>),
  };
}

function withConditions(conditions: readonly MetadataCondition[]): Pick<ResourceFilter, 'metadata'> {
  return conditions.length === 0 ? {} : { metadata: conditions };
}

const parameterName = /^metadata\.([A-Za-z0-9_.-]{1,64})(?:\[(gte|lte)\])?$/;
const unreadable =
  'must be metadata.KEY, metadata.KEY[gte] or metadata.KEY[lte]; a KEY has 1 to 64 letters, digits, "_", "." and "-"';

/** Returns one condition for each key, in the order of first occurrence. */
function conditionsOfQuery(
  parameters: Readonly<Record<string, string | readonly string[]>>,
): MetadataCondition[] {
  const conditions = new Map<string, MetadataCondition>();
  for (const [name, value] of Object.entries(parameters)) {
    const [, key, bound] = parameterName.exec(name) ?? refuse({ path: `/${name}`, message: unreadable });
    const values = listed(value);
    if (key === undefined) continue;
    if (bound !== undefined && values.length > 1)
      refuse({ path: `/${name}`, message: 'is given more than once' });
    const asked =
      bound === undefined ? { anyOf: values.flatMap(readingsOf) } : { [bound]: boundOfText(values[0] ?? '') };
    conditions.set(key, { ...conditions.get(key), ...asked, key });
  }
  return [...conditions.values()];
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Parses a text as a JSON number; null if it is not a finite number. */
function numberIn(text: string): number | null {
  const number = jsonNumber.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : null;
}

const literals: Readonly<Record<string, MetadataScalar>> = { true: true, false: false, null: null };

/**
 * Returns the values that a text in a URL matches: the text itself, and the number, boolean or null that it parses to.
 */
function readingsOf(text: string): MetadataScalar[] {
  const number = numberIn(text);
  if (number !== null) return [text, number];
  return Object.hasOwn(literals, text) ? [text, literals[text] ?? null] : [text];
}

function boundOfText(text: string): MetadataBound {
  const number = numberIn(text);
  return { text, ...(number !== null && { number }) };
}

function conditionOfBody(key: string, asked: MetadataAsked): MetadataCondition {
  if (typeof asked !== 'object' || asked === null) return { key, anyOf: [asked] };
  if (isList(asked)) return { key, anyOf: asked };
  const { gte, lte } = asked;
  return {
    key,
    ...(gte !== undefined && { gte: boundOfValue(gte) }),
    ...(lte !== undefined && { lte: boundOfValue(lte) }),
  };
}

const isList = (asked: object): asked is readonly MetadataScalar[] => Array.isArray(asked);

function boundOfValue(value: string | number): MetadataBound {
  return typeof value === 'number' ? { number: value } : { text: value };
}

function refuse(finding: ValidationFinding): never {
  throw validationFailed(finding);
}
