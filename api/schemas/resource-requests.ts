import { sourceTypes } from '../../core/states.js';
import { operationId } from '../examples/ids.js';
import { handbookForm, newPage } from '../examples/resource-requests.js';
import { mostCounted, resourceSorts, type ResourceSort } from '../../core/resources/resource-sort.js';
import { count, flag, label, listOf, objectOf, pageParameters, text, token, uuid } from './common.js';
import { metadataPatchSchema, metadataSchema } from './metadata.js';
import { filterParameters, filterSchema, type FilterBody, type FilterParameters } from './resource-filter.js';
import { listedResourceSchema } from './resource.js';
import { readAs, typed } from './typed.js';

const name = label(500, 'The display name.', 'Archive handbook');
const type = label(100, 'Selects the pipeline with this trigger type.', 'document');

export const newResourceSchema = typed({
  type: 'object',
  required: ['name', 'type', 'source'],
  additionalProperties: false,
  properties: {
    name,
    type,
    metadata: metadataSchema,
    source: {
      title: 'NewSource',
      type: 'object',
      required: ['kind'],
      description: 'The source.',
      properties: { kind: { type: 'string', enum: sourceTypes, description: 'The type of the source.' } },
      discriminator: { propertyName: 'kind' },
      oneOf: [
        {
          title: 'UrlSource',
          required: ['url'],
          additionalProperties: false,
          properties: {
            kind: { const: 'URL' },
            url: token(
              8000,
              'The URL of the source: http or https, on the public internet. Fetched once per run. Surrounding spaces are removed and others escaped; otherwise it is stored as given.',
              'https://example.com/opening-hours.html',
            ),
          },
        },
        {
          title: 'UploadSource',
          description: 'Only in a multipart/form-data request that contains the file.',
          additionalProperties: false,
          properties: { kind: { const: 'UPLOAD' } },
        },
      ],
    },
  },
  examples: [newPage],
});

export const uploadFormSchema = {
  type: 'object',
  required: ['name', 'type', 'file'],
  properties: {
    name,
    type,
    source: text('The JSON text `{"kind":"UPLOAD"}`; optional.', '{"kind":"UPLOAD"}'),
    metadata: text(
      'The JSON text of an object, validated like `metadata` of a JSON body.',
      '{"team":"archive","year":2025}',
    ),
    file: {
      type: 'string',
      // Before OpenAPI 3.1 only the format marked a file, and many client generators still rely on it.
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description: 'The file; not empty.',
    },
  },
  examples: [handbookForm],
} as const;

export const resourceChangesSchema = typed({
  title: 'ResourceChanges',
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    name,
    metadata: metadataPatchSchema,
    is_enabled: flag('Whether search and language models see it.'),
  },
  examples: [{ name: 'Archive handbook, 2nd edition' }],
});

export const reprocessSchema = typed({
  title: 'Reprocess',
  type: 'object',
  additionalProperties: false,
  properties: {
    from_step: {
      description:
        'Resumes the last run from this step, with the pipeline of that run and the artifacts of earlier steps; its steps go to the endpoints and task queues that their plugins have at the time of the request. `failed` is the first step that did not complete. Default: the current pipeline from step 0.',
      anyOf: [{ type: 'integer', minimum: 0 }, { const: 'failed' }],
      examples: ['failed'],
    },
  },
});

const { type: ofTypes, status: inStatuses } = (
  filterSchema() as { readonly properties: Readonly<Record<'type' | 'status', object>> }
).properties;

export const bulkReprocessSchema = readAs<Pick<FilterBody, 'type' | 'status'>>({
  title: 'BulkReprocess',
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { type: ofTypes, status: inStatuses },
  examples: [{ type: 'document', status: 'FAILED' }],
});

export const bulkReprocessAnswerSchema = {
  title: 'BulkReprocessed',
  ...objectOf({
    count: count('How many resources get a new run, as of when the request was accepted.'),
    operation_id: { ...uuid, description: 'The operation that reprocesses them.' },
  }),
  examples: [{ count: 12, operation_id: operationId }],
} as const;

interface ResourceQuery extends FilterParameters {
  readonly sort?: ResourceSort;
  readonly count?: boolean;
  readonly include?: readonly ('steps' | 'artifacts')[];
  readonly limit?: number;
  readonly cursor?: string;
}

export const resourceQuery = readAs<ResourceQuery>({
  type: 'object',
  additionalProperties: false,
  properties: {
    ...filterParameters(),
    sort: {
      type: 'string',
      enum: resourceSorts,
      default: '-created_at',
      description:
        'The sort order; a minus sign reverses it. Equal resources are ordered by id. An unknown size counts as the smallest.',
      examples: ['-updated_at'],
    },
    count: {
      type: 'boolean',
      description: 'Whether the response has `total`, the number of matching resources.',
      examples: [true],
    },
    include: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: ['steps', 'artifacts'] },
      description: 'What to include in each resource; separate several with commas, or repeat it.',
      examples: [['steps', 'artifacts']],
    },
    ...pageParameters,
  },
});

const page = listOf('ResourceList', listedResourceSchema);

export const resourcePageSchema = {
  ...page,
  properties: {
    ...page.properties,
    total: {
      description: 'The number of matching resources; only with `count=true`.',
      ...objectOf({
        value: { type: 'integer', minimum: 0, maximum: mostCounted, description: 'The number.' },
        relation: {
          type: 'string',
          enum: ['eq', 'gte'],
          description: `\`eq\`: exactly this number; \`gte\`: more than ${mostCounted.toLocaleString('en')}, where counting stops.`,
        },
      }),
      examples: [{ value: 1234, relation: 'eq' }],
    },
  },
};
