import { errorStatus, type ErrorCode } from '../../core/errors.js';
import { cursor, resourceId } from '../examples/ids.js';
import type { ParamSchema } from './param.js';
import { typed } from './typed.js';

/**
 * No control characters or lone surrogates, which PostgreSQL's text and terminals cannot handle. Every regular
 * expression dialect supports the pattern, for clients generated from the document.
 */
export const plainText = { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', 'x-well-formed': true } as const;

export interface TextSchema {
  readonly type: 'string';
  readonly 'x-trim'?: boolean;
  readonly 'x-well-formed': true;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly pattern: string;
  readonly description: string;
  readonly examples: readonly string[];
}

/** A single line written by people: trimmed, at most `max` code points, no control characters. */
export function label(max: number, description: string, example: string): TextSchema {
  const rules = `${max} characters at most, without control characters; surrounding spaces are removed.`;
  return { ...token(max, `${description} ${rules}`, example), 'x-trim': true };
}

/** A single line written by programs: not trimmed, at most `max` code points, no control characters. */
export function token(max: number, description: string, example: string): TextSchema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: max,
    ...plainText,
    description,
    examples: [example],
  };
}

/** Like `token`, or null. */
export function tokenOrNull(
  max: number,
  description: string,
  example: string,
): Omit<TextSchema, 'type'> & { readonly type: readonly ['string', 'null'] } {
  return { ...token(max, description, example), type: ['string', 'null'] };
}

interface Described<Type> {
  readonly type: Type;
  readonly description: string;
  readonly examples?: readonly string[];
}

/** A text without rules of its own, such as one in a response. */
export function text(description: string, example?: string): Described<'string'> {
  return { type: 'string', description, ...(example !== undefined && { examples: [example] }) };
}

export function textOrNull(description: string, example?: string): Described<readonly ['string', 'null']> {
  return { ...text(description, example), type: ['string', 'null'] };
}

export function flag(description: string): Described<'boolean'> {
  return { type: 'boolean', description };
}

export function count(description: string, minimum = 0): Described<'integer'> & { readonly minimum: number } {
  return { type: 'integer', minimum, description };
}

/** A search text for lists: any text that PostgreSQL accepts. */
export function searchText(description: string, example: string): TextSchema {
  return { type: 'string', maxLength: 1000, ...plainText, description, examples: [example] };
}

export const timestamp = {
  type: 'string',
  format: 'date-time',
  description: 'ISO 8601, in UTC, with milliseconds.',
  examples: ['2025-11-20T09:30:00.123Z'],
} as const;

export const timestampOrNull = { ...timestamp, type: ['string', 'null'] } as const;

export function timeOrNull(description: string): Described<readonly ['string', 'null']> {
  return { ...timestampOrNull, description };
}

export const uuid = {
  type: 'string',
  format: 'uuid',
  description: 'A UUID (version 7).',
  examples: [resourceId],
} as const;

/** A UUID path parameter; `title` names what it identifies. */
export function uuidParam(title: string, example: string = resourceId): ParamSchema {
  return { ...uuid, title, description: `The id of the ${title}.`, examples: [example] };
}

/** The query parameters of all lists. */
export const pageParameters = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'The maximum number of items on a page.',
    examples: [20],
  },
  cursor: {
    type: 'string',
    maxLength: 1000,
    description: 'The `next_cursor` of the previous page; omit it for the first page.',
    examples: [cursor],
  },
} as const;

/** The query of a list without filters. */
export const pageQuery = typed({ type: 'object', additionalProperties: false, properties: pageParameters });

interface ObjectSchema<Properties, Type = 'object'> {
  readonly type: Type;
  readonly required: readonly (keyof Properties & string)[];
  readonly additionalProperties: false;
  readonly properties: Properties;
}

/** Returns the schema of an object that has exactly these properties, all of them required. */
export function objectOf<const Properties extends object>(properties: Properties): ObjectSchema<Properties> {
  const required = Object.keys(properties) as (keyof Properties & string)[];
  return { type: 'object', required, additionalProperties: false, properties };
}

/** Like `objectOf`, or null. */
export function objectOrNull<const Properties extends object>(
  properties: Properties,
): ObjectSchema<Properties, readonly ['object', 'null']> {
  return { ...objectOf(properties), type: ['object', 'null'] };
}

interface ListSchema extends ObjectSchema<Readonly<Record<'items' | 'next_cursor', object>>> {
  readonly title: string;
  readonly examples: readonly unknown[];
}

/**
 * Returns the schema of a list's response. Its example is a page of the item schema's examples. `title` is its name in
 * the document.
 */
export function listOf(title: string, items: { readonly examples: readonly unknown[] }): ListSchema {
  return {
    title,
    ...objectOf({
      items: { type: 'array', items, description: 'The page.' },
      next_cursor: textOrNull('The `cursor` of the next page; null on the last page.'),
    }),
    examples: [{ items: items.examples, next_cursor: null }],
  };
}

/** The error body that all errors share. */
export const errorSchema = objectOf({
  error: {
    title: 'ErrorBody',
    description: 'What went wrong.',
    ...objectOf({
      code: {
        type: 'string',
        enum: Object.keys(errorStatus) as readonly ErrorCode[],
        description: 'A code for programs. Codes may be added, but never change.',
        examples: ['VALIDATION_FAILED'],
      },
      message: text('A message for people. It may change.', '/name: is missing'),
      details: {
        type: 'object',
        description:
          'Further details. Validation errors are in `errors`, each with a JSON Pointer and a message.',
        examples: [{ errors: [{ path: '/name', message: 'is missing' }] }],
      },
    }),
  },
});
