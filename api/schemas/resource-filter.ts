import type { MetadataScalar, ResourceFilter } from '../../core/resources/resource-filter.js';
import { resourceStatuses, sourceTypes } from '../../core/states.js';
import { connectorId, sourceHash } from '../examples/ids.js';
import { searchText } from './common.js';
import { metadataText } from './metadata.js';

/** The filter language, shared by the query of a list and the object `filter` of a body. */

export type FilterName = keyof FilterBody;

/** The parsed query parameters. */
export interface FilterParameters extends Omit<ResourceFilter, 'all' | 'metadata'> {
  /** Conditions by full parameter name, such as `metadata.year[gte]`. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>;
}

type OneOrMore<T> = T | readonly T[];

/** The condition on one metadata key in a body's `filter`. */
export type MetadataAsked =
  OneOrMore<MetadataScalar> | { readonly gte?: string | number; readonly lte?: string | number };

/** Also accepts a single value wherever a list is allowed. */
type WithSingles<T> = {
  [Name in keyof T]: NonNullable<T[Name]> extends readonly (infer Value)[]
    ? OneOrMore<Value> | Extract<T[Name], null>
    : T[Name];
};

/** The object `filter` of a body. */
export interface FilterBody extends WithSingles<Omit<ResourceFilter, 'metadata'>> {
  readonly metadata?: Readonly<Record<string, MetadataAsked>>;
}

interface ValueSchema {
  readonly type: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly description: string;
  readonly examples: readonly unknown[];
}

const mostValues = 100;

const instant = (description: string): ValueSchema => ({
  type: 'string',
  format: 'date-time',
  maxLength: 64,
  description,
  examples: ['2025-11-20T09:30:00Z'],
});

/** Filters that match any of several values. Each schema describes one value. */
const repeatable = {
  type: searchText('Only resources of one of these types.', 'document'),
  status: {
    type: 'string',
    enum: resourceStatuses,
    description: 'Only resources in one of these statuses.',
    examples: ['FAILED'],
  },
  source_type: {
    type: 'string',
    enum: sourceTypes,
    description: 'Only files, or only URLs.',
    examples: ['UPLOAD'],
  },
  is_enabled: {
    type: 'boolean',
    description: 'Only enabled resources, or only disabled ones.',
    examples: [true],
  },
  connector_id: {
    type: 'string',
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'Only resources with one of these `connector_id`s. The service itself sets none.',
    examples: [connectorId],
  },
  sha256: {
    type: 'string',
    pattern: '^[0-9a-fA-F]{64}$',
    description: 'Only resources whose source has one of these SHA-256 hashes, in hex.',
    examples: [sourceHash],
  },
  error_code: {
    ...searchText(
      'Only resources that are FAILED with one of these error codes in their current run.',
      'STEP_TIMED_OUT',
    ),
    // Plugins choose their codes; everything but NUL can be stored.
    pattern: '^[^\\u0000]*$',
  },
  failed_plugin: searchText(
    'Only resources that are FAILED at a step of one of these plugins in their current run.',
    'extract-text',
  ),
} as const satisfies Record<string, ValueSchema>;

/** Whether a filter matches any of several values. */
export const takesList = (name: string): boolean => Object.hasOwn(repeatable, name);

/** Filters that have one value. */
const single = {
  q: searchText('Part of the name, ignoring case.', 'handbook'),
  waiting: {
    type: 'boolean',
    description:
      '`true`: only PROCESSING resources whose current step has waited for a worker, a callback or a retry for more than 10 seconds; `false`: only the others.',
    examples: [true],
  },
  created_after: instant('Only resources that were registered at this time or later.'),
  created_before: instant('Only resources that were registered before this time.'),
  updated_after: instant('Only resources that last changed at this time or later.'),
  updated_before: instant('Only resources that last changed before this time.'),
} as const satisfies Record<string, ValueSchema>;

const metadataParameter = {
  type: 'object',
  'x-prefix': 'metadata.',
  additionalProperties: {
    type: ['string', 'array'],
    minItems: 1,
    maxItems: mostValues,
    ...metadataText,
    items: { type: 'string', ...metadataText },
  },
  description:
    'Conditions on metadata, one parameter each. `metadata.KEY=VALUE`: the value equals VALUE, or is an array that contains it. Repeat it to match any of several values. `metadata.KEY[gte]` and `metadata.KEY[lte]` compare numbers as numbers and strings as strings, by code point. A VALUE such as `5`, `true`, `false` or `null` matches both that value and the string.',
  examples: [{ 'metadata.team': 'archive', 'metadata.year[gte]': '2020' }],
} as const;

const comparable = {
  type: ['string', 'number', 'boolean', 'null'],
  ...metadataText,
  description: 'A value.',
} as const;
const bound = { type: ['string', 'number'], ...metadataText, description: 'Inclusive.' } as const;

const metadataBody = {
  type: 'object',
  maxProperties: 64,
  description:
    'Conditions by key: a value, an array of values, or a range. The resource’s value must equal one of the values, or be an array that contains one. A range compares numbers as numbers and strings as strings, by code point.',
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
    ...metadataText,
    minItems: 1,
    maxItems: mostValues,
    items: comparable,
    minProperties: 1,
    properties: { gte: bound, lte: bound },
    additionalProperties: false,
  },
  examples: [{ team: 'archive', language: ['de', 'en'], year: { gte: 2020 } }],
} as const;

/** Returns the query parameters of the filter language, without `except`. */
export function filterParameters(except: readonly FilterName[] = []): Readonly<Record<string, object>> {
  const repeated = Object.entries(repeatable).map(([name, { description, ...items }]) => [
    name,
    {
      type: 'array',
      'x-repeated': true,
      minItems: 1,
      maxItems: mostValues,
      items,
      description: `${description} Repeat it to match any of several values.`,
      examples: [items.examples],
    },
  ]);
  return without(except, [...repeated, ...Object.entries(single), ['metadata', metadataParameter]]);
}

/** Values that only a body can express. */
const alternatives: Readonly<Record<string, readonly object[]>> = {
  failed_plugin: [{ type: 'null', description: 'Only resources that are FAILED outside a step.' }],
};

/** Returns the schema of a body's `filter`, without `except`. An empty object means every resource. */
export function filterSchema(except: readonly FilterName[] = ['all']): object {
  const repeated = Object.entries(repeatable).map(([name, { description, ...items }]) => [
    name,
    {
      oneOf: [
        { ...items, description: 'One value.' },
        {
          type: 'array',
          minItems: 1,
          maxItems: mostValues,
          items: { ...items, description: 'A value.' },
          description: 'Any of several values.',
        },
        ...(alternatives[name] ?? []),
      ],
      description,
      examples: [[items.examples[0]]],
    },
  ]);
  const all = { const: true, description: 'Selects every resource, explicitly.' };
  return {
    type: 'object',
    additionalProperties: false,
    description: 'Selects resources: every condition must hold.',
    properties: without(except, [
      ['all', all],
      ...repeated,
      ...Object.entries(single),
      ['metadata', metadataBody],
    ]),
    examples: [{ status: ['FAILED', 'CANCELLED'], metadata: { team: 'archive' } }],
  };
}

function without(
  except: readonly string[],
  entries: readonly (readonly unknown[])[],
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    entries.filter(([name]) => !except.includes(name as string)) as [string, object][],
  );
}
