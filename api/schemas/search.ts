import { sourceTypes } from '../../core/states.js';
import { resourceId } from '../examples/ids.js';
import { answer, hit, neighbour, request, status } from '../examples/search.js';
import { fallbackReasons, searchModes, type SearchMode } from '../search/types.js';
import { timestampOrNull, uuid } from './common.js';
import { filterParameters, filterSchema, type FilterBody, type FilterParameters } from './resource-filter.js';
import type { Schema } from './typed.js';

/** What a search takes beside its filters: in the query of GET and in the body of POST. */
const searchParameters = {
  q: {
    type: 'string',
    minLength: 1,
    maxLength: 1000,
    'x-well-formed': true,
    description:
      'What to find. Of words, any may match. `"a phrase"` must occur, in any case and with or without accents. `-word` and `-"a phrase"` must not.',
    examples: ['"glass negatives" -film'],
  },
  mode: {
    type: 'string',
    enum: searchModes,
    default: 'text',
    description:
      '`text` ranks by words (BM25), `vector` by what the model of the plugin `embed` takes for similar, `hybrid` by both (reciprocal rank fusion).',
  },
  resource_id: {
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: { ...uuid, description: 'A resource.' },
    description: 'Only these resources.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 50,
    default: 10,
    description: 'How many hits at most.',
    examples: [5],
  },
  per_resource: {
    type: 'integer',
    minimum: 1,
    maximum: 50,
    default: 3,
    description: 'How many hits of one resource at most.',
    examples: [1],
  },
  context: {
    type: 'integer',
    minimum: 0,
    maximum: 5,
    default: 0,
    description: 'How many neighbouring chunks each hit brings, on each side.',
    examples: [1],
  },
  include_disabled: {
    type: 'boolean',
    default: false,
    description: 'Finds resources that are disabled too. Needs the scope `write`.',
  },
} as const;

/** What search does not filter by: it finds only what has a COMPLETED run, and `q` is what is looked for. */
const unfiltered = ['all', 'q', 'status', 'waiting'] as const;

interface SearchParameters {
  readonly q: string;
  readonly mode?: SearchMode;
  readonly limit?: number;
  readonly per_resource?: number;
  readonly context?: number;
  readonly include_disabled?: boolean;
}

export type SearchQuery = SearchParameters &
  Omit<FilterParameters, (typeof unfiltered)[number]> & { readonly resource_id?: readonly string[] };

type SearchFilterBody = Omit<FilterBody, (typeof unfiltered)[number]>;

export type SearchBody = SearchParameters &
  SearchFilterBody & {
    readonly resource_id?: string | readonly string[];
    readonly filter?: SearchFilterBody;
  };

const { resource_id: resourceIds, ...plainParameters } = searchParameters;

const queryOfSearch = {
  type: 'object',
  required: ['q'],
  additionalProperties: false,
  properties: {
    ...plainParameters,
    resource_id: {
      ...resourceIds,
      'x-repeated': true,
      description: 'Only this resource. Repeat it for any of several.',
      examples: [[resourceId]],
    },
    ...filterParameters(unfiltered),
  },
};

/** A search in a query. */
export const searchQuery: Schema<SearchQuery> = queryOfSearch;

const filters = filterSchema(unfiltered) as { readonly properties: Readonly<Record<string, object>> };

const bodyOfSearch = {
  type: 'object',
  required: ['q'],
  additionalProperties: false,
  properties: {
    ...plainParameters,
    resource_id: {
      description: resourceIds.description,
      oneOf: [resourceIds.items, resourceIds],
      examples: [[resourceId]],
    },
    ...filters.properties,
    filter: {
      ...filters,
      description: 'The filters, in an object of their own as other bodies have them.',
      examples: [{ type: ['document'] }],
    },
  },
  examples: [request],
};

/** A search in a body. */
export const searchBody: Schema<SearchBody> = bodyOfSearch;

const offset = { type: ['integer', 'null'], minimum: 0 } as const;
const page = { type: ['integer', 'null'], minimum: 0 } as const;

const placeSchema = {
  type: 'object',
  required: ['index', 'start', 'end', 'page_start', 'page_end', 'headings'],
  additionalProperties: false,
  description: 'Where it is in the resource.',
  properties: {
    index: { type: 'integer', minimum: 0, description: 'Its number among the chunks, from 0.' },
    start: {
      ...offset,
      description:
        'Where it begins in the text, in Unicode code points; null where the chunk does not say so.',
    },
    end: { ...offset, description: 'Behind its last code point.' },
    page_start: {
      ...page,
      description: 'The page, slide or sheet it begins on, from 1; null for formats without pages.',
    },
    page_end: { ...page, description: 'The page that it ends on.' },
    headings: {
      type: 'array',
      items: { type: 'string' },
      description: 'The headings above it, the outermost first.',
    },
  },
} as const;

const neighboursOf = (side: string): object => ({
  type: 'array',
  maxItems: 5,
  description: `Chunks ${side} it, in the order of the text: as many as \`context\` asks for.`,
  items: {
    type: 'object',
    required: ['chunk', 'text'],
    additionalProperties: false,
    properties: { chunk: placeSchema, text: { type: 'string', description: 'Its text.' } },
    examples: [neighbour],
  },
});

/** A chunk that was found. */
export const searchHitSchema = {
  type: 'object',
  required: [
    'resource',
    'run',
    'artifact_id',
    'chunk',
    'text',
    'highlights',
    'before',
    'after',
    'score',
    'url',
  ],
  additionalProperties: false,
  properties: {
    resource: {
      type: 'object',
      required: ['id', 'name', 'type', 'source_type', 'source_uri', 'metadata'],
      additionalProperties: false,
      description: 'The resource as it is now.',
      properties: {
        id: uuid,
        name: { type: 'string', description: 'What people call it.' },
        type: { type: 'string', description: 'Its type.' },
        source_type: { type: 'string', enum: sourceTypes, description: 'Whether a file was sent or a URL.' },
        source_uri: { type: ['string', 'null'], description: 'The URL of a URL source; null for an upload.' },
        metadata: { type: 'object', description: 'Its metadata.' },
      },
    },
    run: { type: 'integer', minimum: 1, description: 'The run that made the chunk.' },
    artifact_id: { ...uuid, description: 'The artifact that the chunk comes from.' },
    chunk: placeSchema,
    text: { type: 'string', description: 'The text of the chunk.' },
    highlights: {
      type: 'array',
      description: 'What matched in `text`, in Unicode code points; empty where a vector alone matched.',
      items: {
        type: 'object',
        required: ['start', 'end'],
        additionalProperties: false,
        properties: {
          start: { type: 'integer', minimum: 0, description: 'Where it begins.' },
          end: { type: 'integer', minimum: 0, description: 'Behind its last code point.' },
        },
      },
    },
    before: neighboursOf('before'),
    after: neighboursOf('after'),
    score: {
      type: 'number',
      description: 'How well it matches: higher is better. Scores of different searches do not compare.',
    },
    url: { type: 'string', format: 'uri', description: 'The page that shows the resource at this place.' },
  },
  examples: [hit],
} as const;

/** What was found. */
export const searchAnswerSchema = {
  type: 'object',
  required: ['mode', 'fallback', 'items'],
  additionalProperties: false,
  properties: {
    mode: { type: 'string', enum: searchModes, description: 'How it was ranked.' },
    fallback: {
      type: ['object', 'null'],
      required: ['from', 'reason'],
      additionalProperties: false,
      description: 'Why `hybrid` searched by text alone; null when it did not.',
      properties: {
        from: { type: 'string', const: 'hybrid', description: 'The mode that was asked for.' },
        reason: {
          type: 'string',
          enum: fallbackReasons,
          description:
            'NO_EMBEDDER: the plugin `embed` is inactive or has no valid config. NO_VECTORS: no chunk has a vector of its model. EMBEDDER_UNAVAILABLE: its endpoint failed.',
        },
      },
    },
    items: { type: 'array', maxItems: 50, items: searchHitSchema, description: 'The hits, best first.' },
  },
  examples: [answer],
} as const;

/** How the index is. */
export const searchStatusSchema = {
  type: 'object',
  required: [
    'engine',
    'uri',
    'available',
    'problem',
    'resources',
    'chunks',
    'failed',
    'pending',
    'oldest_pending_at',
    'rebuilding',
    'rebuild',
  ],
  additionalProperties: false,
  properties: {
    engine: { type: 'string', const: 'lancedb', description: 'What ranks.' },
    uri: { type: 'string', description: 'Where the index is: KW_SEARCH_URI.' },
    available: { type: 'boolean', description: 'Whether searches are answered.' },
    problem: {
      type: ['string', 'null'],
      description: 'Why they are not, and what to do; null when they are.',
    },
    resources: { type: 'integer', minimum: 0, description: 'Resources in the index.' },
    chunks: { type: 'integer', minimum: 0, description: 'Chunks in the index.' },
    failed: {
      type: 'integer',
      minimum: 0,
      description: 'Resources whose chunks cannot be indexed; the log of the worker says why.',
    },
    pending: { type: 'integer', minimum: 0, description: 'Changes that are not in the index yet.' },
    oldest_pending_at: { ...timestampOrNull, description: 'When the oldest of them was made.' },
    rebuilding: { type: 'boolean', description: 'Whether a new index is being built.' },
    rebuild: {
      type: ['object', 'null'],
      required: ['started_at', 'resources', 'total'],
      additionalProperties: false,
      description: 'How far it is; null when there is none.',
      properties: {
        started_at: { ...timestampOrNull, description: 'When it was asked for.' },
        resources: { type: 'integer', minimum: 0, description: 'Resources in the new index.' },
        total: { type: 'integer', minimum: 0, description: 'Resources that it will hold.' },
      },
    },
  },
  examples: [status],
} as const;

/** What a rebuild answers. */
export const rebuildAnswerSchema = {
  title: 'SearchRebuild',
  type: 'object',
  required: ['rebuilding'],
  additionalProperties: false,
  properties: {
    rebuilding: { type: 'boolean', const: true, description: 'A new index is being built.' },
  },
  examples: [{ rebuilding: true }],
} as const;
