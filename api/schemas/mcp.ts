import { resourceStatuses, sourceTypes, stepStatuses } from '../../core/states.js';
import type { FilterBody } from './resource-filter.js';
import { filterSchema } from './resource-filter.js';
import { metadataSchema } from './metadata.js';
import {
  count,
  flag,
  label,
  objectOf,
  objectOrNull,
  plainText,
  searchText,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
  token,
  uuid,
} from './common.js';
import { readAs, typed } from './typed.js';

/** Schemas of the tools and resources for the Model Context Protocol. */

/** One message of JSON-RPC 2.0. The SDK checks everything else. */
export interface McpMessage {
  /** Absent in a notification. */
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** No batches: only an obsolete revision of the protocol had them. */
export const mcpMessageSchema = readAs<McpMessage>({
  type: 'object',
  properties: { params: { type: 'object' } },
});

const { metadata: metadataCondition } = (
  filterSchema() as { readonly properties: Readonly<Record<'metadata', object>> }
).properties;

const typeFilter = {
  type: ['string', 'array'],
  minItems: 1,
  maxItems: 100,
  maxLength: 1000,
  ...plainText,
  items: { type: 'string', maxLength: 1000, ...plainText, description: 'A type.' },
  description:
    'Only resources of this type, or of one of these types; list_resources shows the types in use.',
  examples: ['document'],
} as const;

const title = text('Its name.');
const url = text('The page that shows it. Cite this URL.');
const textId = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  'x-well-formed': true,
  description:
    'The id of a search result or of a resource, or a next_id. The kw:// URI of a resource also works.',
  examples: ['0198f2a6-5c3e-7d41-9a51-3f6c2b8e7d10'],
} as const;
const resourceMetadata = {
  type: 'object',
  description: 'The metadata that users set on the resource.',
} as const;

export interface SearchInput {
  readonly query: string;
  readonly limit?: number;
  readonly type?: string | readonly string[];
  readonly metadata?: NonNullable<FilterBody['metadata']>;
}

export const searchInput = readAs<SearchInput>({
  type: 'object',
  required: ['query'],
  additionalProperties: false,
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      'x-well-formed': true,
      description:
        'Words that the answer would contain; any may match, and rare words count more. "Quotes" require a phrase, -word excludes.',
      examples: ['glass negatives storage temperature'],
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      default: 10,
      description: 'The maximum number of results.',
    },
    type: typeFilter,
    metadata: {
      ...metadataCondition,
      description:
        'Only resources whose metadata matches, by key: a value, an array of which one value must match, or {"gte": …, "lte": …}.',
    },
  },
});

const nullablePage = { type: ['integer', 'null'], minimum: 0 } as const;

export const searchOutput = typed(
  objectOf({
    results: {
      type: 'array',
      description: 'The passages that match best, best first.',
      items: objectOf({
        id: text('The id for fetch, which returns the text around the passage.'),
        title: text('The name of the resource.'),
        url: text('The page that shows the passage. Cite this URL.'),
        text: text('The passage.'),
        resource_id: text('The resource it is from.'),
        type: text('The type of the resource.'),
        page_start: { ...nullablePage, description: 'The page that it begins on; null without pages.' },
        page_end: { ...nullablePage, description: 'The page that it ends on.' },
        headings: {
          type: 'array',
          items: { type: 'string' },
          description: 'The headings above it, outermost first.',
        },
        score: {
          type: 'number',
          description: 'How well it matches; comparable only within these results.',
        },
        metadata: resourceMetadata,
      }),
    },
  }),
);

export const fetchInput = typed(objectOf({ id: textId }));

export const fetchOutput = typed({
  type: 'object',
  required: ['id', 'title', 'text', 'url', 'metadata'],
  additionalProperties: false,
  properties: {
    id: text('The requested id.'),
    title,
    text: text(
      'The text. A part of a longer text ends with a note that says so. If the text may have changed since it was indexed, it begins with a note.',
    ),
    url,
    metadata: resourceMetadata,
    next_id: text('Fetch this id to read on. Absent at the end of the text.'),
  },
});

export interface ListInput {
  readonly query?: string;
  readonly type?: string | readonly string[];
  readonly status?: (typeof resourceStatuses)[number];
  readonly metadata?: NonNullable<FilterBody['metadata']>;
  readonly limit?: number;
  readonly cursor?: string;
}

export const listInput = readAs<ListInput>({
  type: 'object',
  additionalProperties: false,
  properties: {
    query: searchText('Part of the name, ignoring case. To search the text, use search.', 'handbook'),
    type: typeFilter,
    status: {
      type: 'string',
      enum: resourceStatuses,
      description: 'Only resources in this status; COMPLETED ones can be found and read.',
    },
    metadata: metadataCondition,
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'The maximum number of resources.',
    },
    cursor: { type: 'string', maxLength: 1000, description: 'The next_cursor of the previous page.' },
  },
});

const listed = {
  id: { ...uuid, description: 'The id for get_resource and fetch.' },
  title,
  url,
  type: text('Its type, which selects its pipeline.'),
  status: {
    type: 'string',
    enum: resourceStatuses,
    description:
      'COMPLETED: it can be found and read. PROCESSING: it is being processed. PENDING: no pipeline takes its type. FAILED, CANCELLED: processing ended early.',
  },
  source_type: { type: 'string', enum: sourceTypes, description: 'An uploaded file, or a URL.' },
  source_uri: textOrNull('The URL it came from; null for a file.'),
  metadata: resourceMetadata,
  created_at: timestamp,
  updated_at: timestamp,
} as const;

export const listOutput = typed(
  objectOf({
    resources: { type: 'array', description: 'The page, newest first.', items: objectOf(listed) },
    next_cursor: textOrNull('The cursor of the next page; null on the last page.'),
  }),
);

export const getInput = typed(objectOf({ id: textId }));

/** A resource with its progress. */
export const getOutput = typed(
  objectOf({
    ...listed,
    waits_for: textOrNull('What it waits for, and until when; null if it waits for nothing.'),
    error: {
      description: 'Why it failed; null unless it is FAILED.',
      ...objectOrNull({ code: text('A code for programs.'), message: text('A message for people.') }),
    },
    has_text: flag('Whether fetch can read it.'),
    steps: {
      type: 'array',
      description: 'The steps of its newest run, in order.',
      items: objectOf({
        plugin_id: text('The plugin that runs the step.'),
        status: { type: 'string', enum: stepStatuses, description: 'The status of the step.' },
        attempt: count('Its latest attempt; 0: none yet.'),
        progress: {
          type: ['number', 'null'],
          description: 'The completed fraction, from 0 to 1; null if unknown.',
        },
      }),
    },
    finished_at: timestampOrNull,
  }),
);

const name = label(500, 'The display name.', 'Archive handbook');
const type = {
  ...label(
    100,
    'Selects the pipeline that processes it; get_resource says if no pipeline takes this type.',
    'document',
  ),
  default: 'document',
} as const;

export const addUrlInput = typed({
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: token(
      8000,
      'An http or https URL on the public internet.',
      'https://example.com/opening-hours.html',
    ),
    name: { ...name, description: `${name.description} Default: the URL.` },
    type: { ...type, default: 'webpage' },
    metadata: metadataSchema,
  },
});

export const addTextInput = typed({
  type: 'object',
  required: ['text', 'name'],
  additionalProperties: false,
  properties: {
    text: {
      type: 'string',
      minLength: 1,
      maxLength: 1_000_000,
      // With NUL, its bytes would look like UTF-16 or like a binary file.
      pattern: '^[^\\u0000]*$',
      'x-well-formed': true,
      description: 'The whole text; Markdown keeps its headings.',
      examples: ['# Opening hours\n\nMonday to Friday, 9 to 17.'],
    },
    name,
    type,
    metadata: metadataSchema,
  },
});
