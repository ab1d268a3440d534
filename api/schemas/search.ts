import { sourceTypes } from '../../core/states.js';
import { resourceId } from '../examples/ids.js';
import { answer, hit, neighbour, request, status } from '../examples/search.js';
import { fallbackReasons, searchModes, type SearchRequest } from '../search/types.js';
import { count, flag, objectOf, objectOrNull, text, textOrNull, timeOrNull, uuid } from './common.js';
import { filterParameters, filterSchema, type FilterBody, type FilterParameters } from './resource-filter.js';
import { readAs } from './typed.js';

/** The search parameters other than filters, in the query of GET and in the body of POST. */
const searchParameters = {
  q: {
    type: 'string',
    minLength: 1,
    maxLength: 1000,
    'x-well-formed': true,
    description:
      'What to find. Any of the words may match. `"a phrase"` must occur, ignoring case and accents. `-word` and `-"a phrase"` must not occur.',
    examples: ['"glass negatives" -film'],
  },
  mode: {
    type: 'string',
    enum: searchModes,
    default: 'text',
    description:
      '`text` ranks by words (BM25), `vector` by similarity in the model of the plugin `embed`, `hybrid` by both (reciprocal rank fusion).',
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
    description: 'The maximum number of hits.',
    examples: [5],
  },
  per_resource: {
    type: 'integer',
    minimum: 1,
    maximum: 50,
    default: 3,
    description: 'The maximum number of hits from one resource.',
    examples: [1],
  },
  context: {
    type: 'integer',
    minimum: 0,
    maximum: 5,
    default: 0,
    description: 'The number of neighbouring chunks on each side of a hit.',
    examples: [1],
  },
  include_disabled: {
    type: 'boolean',
    default: false,
    description: 'Also finds disabled resources. Needs the scope `write`.',
  },
} as const;

/** Filters that search does not support: it finds only resources with a COMPLETED run, and `q` is the search text. */
const unfiltered = ['all', 'q', 'status', 'waiting'] as const;

type SearchParameters = Omit<SearchRequest, 'resource_id' | 'filter'>;

export type SearchQuery = SearchParameters &
  Omit<FilterParameters, (typeof unfiltered)[number]> & { readonly resource_id?: readonly string[] };

type SearchFilterBody = Omit<FilterBody, (typeof unfiltered)[number]>;

export type SearchBody = SearchParameters &
  SearchFilterBody & {
    readonly resource_id?: string | readonly string[];
    readonly filter?: SearchFilterBody;
  };

const { resource_id: resourceIds, ...plainParameters } = searchParameters;

export const searchQuery = readAs<SearchQuery>({
  type: 'object',
  required: ['q'],
  additionalProperties: false,
  properties: {
    ...plainParameters,
    resource_id: {
      ...resourceIds,
      'x-repeated': true,
      description: 'Only this resource. Repeat it to match any of several.',
      examples: [[resourceId]],
    },
    ...filterParameters(unfiltered),
  },
});

const filters = filterSchema(unfiltered) as { readonly properties: Readonly<Record<string, object>> };

export const searchBody = readAs<SearchBody>({
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
      description: 'The filters, as an object like in other bodies.',
      examples: [{ type: ['document'] }],
    },
  },
  examples: [request],
});

const offset = { type: ['integer', 'null'], minimum: 0 } as const;
const page = { type: ['integer', 'null'], minimum: 0 } as const;

const placeSchema = {
  description: 'Its place in the resource.',
  ...objectOf({
    index: count('Its index among the chunks, from 0.'),
    start: {
      ...offset,
      description: 'Where it begins in the text, in Unicode code points; null if the chunk does not say.',
    },
    end: { ...offset, description: 'The offset after its last code point.' },
    page_start: {
      ...page,
      description: 'The page, slide or sheet that it begins on, from 1; null for formats without pages.',
    },
    page_end: { ...page, description: 'The page that it ends on.' },
    headings: {
      type: 'array',
      items: { type: 'string' },
      description: 'The headings above it, outermost first.',
    },
  }),
} as const;

const neighboursOf = (side: string): object => ({
  type: 'array',
  maxItems: 5,
  description: `Chunks ${side} it, in the order of the text; \`context\` sets how many.`,
  items: {
    ...objectOf({ chunk: placeSchema, text: text('Its text.') }),
    examples: [neighbour],
  },
});

export const searchHitSchema = {
  ...objectOf({
    resource: {
      description: 'The resource as it is now.',
      ...objectOf({
        id: uuid,
        name: text('The display name.'),
        type: text('Its type.'),
        source_type: {
          type: 'string',
          enum: sourceTypes,
          description: 'Whether the source is an upload or a URL.',
        },
        source_uri: textOrNull('The URL of a URL source; null for an upload.'),
        metadata: { type: 'object', description: 'Its metadata.' },
      }),
    },
    run: count('The run that made the chunk.', 1),
    artifact_id: {
      ...uuid,
      description:
        'The artifact that the chunk comes from. If its `run` is later than the `run` of the hit, a run that has not completed has replaced its content.',
    },
    chunk: placeSchema,
    text: text('The text of the chunk.'),
    highlights: {
      type: 'array',
      description:
        'What matched in `text`, in Unicode code points; empty if only a vector, a heading or a part of a word matched. Matches after the first 16,384 characters are left out.',
      items: objectOf({
        start: count('Where it begins.'),
        end: count('The offset after its last code point.'),
      }),
    },
    before: neighboursOf('before'),
    after: neighboursOf('after'),
    score: {
      type: 'number',
      description: 'How well it matches: higher is better. Do not compare scores of different searches.',
    },
    url: { type: 'string', format: 'uri', description: 'The page that shows the resource at this place.' },
  }),
  examples: [hit],
} as const;

export const searchAnswerSchema = {
  ...objectOf({
    mode: { type: 'string', enum: searchModes, description: 'The mode that ranked the hits.' },
    fallback: {
      description: 'Why `hybrid` searched by text only; null if it did not.',
      ...objectOrNull({
        from: { type: 'string', const: 'hybrid', description: 'The requested mode.' },
        reason: {
          type: 'string',
          enum: fallbackReasons,
          description:
            'NO_EMBEDDER: the plugin `embed` is inactive or its config lacks `base_url` or `model`. NO_VECTORS: no chunk has a vector of its model. EMBEDDER_UNAVAILABLE: its endpoint failed.',
        },
      }),
    },
    items: { type: 'array', maxItems: 50, items: searchHitSchema, description: 'The hits, best first.' },
  }),
  examples: [answer],
} as const;

export const searchStatusSchema = {
  ...objectOf({
    engine: { type: 'string', const: 'lancedb', description: 'The search engine.' },
    uri: text('The location of the index: KW_SEARCH_URI.'),
    created_at: timeOrNull(
      'When building the index began. It changes when a rebuild succeeds. Null without an index.',
    ),
    available: flag('Whether searches work.'),
    problem: textOrNull('Why searches do not work, and how to fix it; null if they work.'),
    resources: count('Resources in the index.'),
    chunks: count('Chunks in the index.'),
    failed: count('Resources whose chunks or vectors could not be indexed.'),
    failures: {
      type: 'array',
      maxItems: 20,
      description: 'The newest of these resources, with the reason.',
      items: objectOf({
        resource_id: { type: 'string', format: 'uuid', description: 'The resource.' },
        name: text('Its name.'),
        run: count('The run whose artifacts could not be indexed.', 1),
        error: text('Why it could not be indexed.'),
      }),
    },
    pending: count('Changes that are not in the index yet.'),
    oldest_pending_at: timeOrNull('When the oldest pending change was made.'),
    upkeep_failing_since: timeOrNull(
      'Since when upkeep of the index, or building the new one of a rebuild, has been failing; null if both work. Searches stay complete; without upkeep they become slower. The worker tries again, and its log says why; if upkeep still fails, rebuild the index.',
    ),
    rebuilding: flag('Whether a new index is being built.'),
    rebuild: {
      description: 'The progress of the rebuild; null if there is none.',
      ...objectOrNull({
        started_at: timeOrNull('When it was requested.'),
        resources: count('Resources in the new index.'),
        total: count('Resources that the new index will hold.'),
      }),
    },
  }),
  examples: [status],
} as const;

export const rebuildAnswerSchema = {
  title: 'SearchRebuild',
  ...objectOf({
    rebuilding: { type: 'boolean', const: true, description: 'A new index is being built.' },
  }),
  examples: [{ rebuilding: true }],
} as const;
