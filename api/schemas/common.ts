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

interface ListSchema {
  readonly title: string;
  readonly type: 'object';
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, object>>;
  readonly examples: readonly unknown[];
}

/**
 * Returns the schema of a list's response. Its example is a page of the item schema's examples. `title` is its name in
 * the document.
 */
export function listOf(title: string, items: { readonly examples: readonly unknown[] }): ListSchema {
  const properties = {
    items: { type: 'array', items, description: 'The page.' },
    next_cursor: {
      type: ['string', 'null'],
      description: 'The `cursor` of the next page; null on the last page.',
    },
  };
  return {
    title,
    type: 'object',
    required: ['items', 'next_cursor'],
    additionalProperties: false,
    properties,
    examples: [{ items: items.examples, next_cursor: null }],
  };
}

/** The error body that all errors share. */
export const errorSchema = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      title: 'ErrorBody',
      type: 'object',
      description: 'What went wrong.',
      required: ['code', 'message', 'details'],
      additionalProperties: false,
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(errorStatus) as readonly ErrorCode[],
          description: 'A code for programs. Codes may be added, but never change.',
          examples: ['VALIDATION_FAILED'],
        },
        message: {
          type: 'string',
          description: 'A message for people. It may change.',
          examples: ['/name: is missing'],
        },
        details: {
          type: 'object',
          description:
            'Further details. Validation errors are in `errors`, each with a JSON Pointer and a message.',
          examples: [{ errors: [{ path: '/name', message: 'is missing' }] }],
        },
      },
    },
  },
} as const;
