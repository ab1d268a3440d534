import { scanId } from '../examples/ids.js';
import { count, objectOf, text, textOrNull, timestamp, uuid } from './common.js';
import { filterParameters, type FilterParameters } from './resource-filter.js';
import { readAs } from './typed.js';

interface FailuresQuery extends Pick<FilterParameters, 'type'> {
  readonly since?: string;
}

const { type } = filterParameters() as { readonly type: object };

export const failuresQuery = readAs<FailuresQuery>({
  type: 'object',
  additionalProperties: false,
  properties: {
    since: {
      type: 'string',
      format: 'date-time',
      maxLength: 64,
      description: 'Only resources that failed at this time or later.',
      examples: ['2025-11-20T09:30:00Z'],
    },
    type,
  },
});

const failureSchema = {
  title: 'FailureGroup',
  ...objectOf({
    error_code: text('Why they failed; use it as `error_code` in a filter.'),
    plugin_id: textOrNull(
      'The plugin of the failed step; use it as `failed_plugin` in a filter. Null if they failed outside a step, such as while fetching a URL.',
    ),
    type: text('The type of the resources; use it as `type` in a filter.'),
    count: count('The number of resources.', 1),
    first_at: { ...timestamp, description: 'When the first of them failed.' },
    last_at: { ...timestamp, description: 'When the last of them failed.' },
    message: textOrNull('The message of the latest failure.'),
    resource_id: { ...uuid, description: 'The resource that failed last.' },
  }),
} as const;

export const failuresSchema = {
  title: 'Failures',
  ...objectOf({
    items: { type: 'array', maxItems: 1_000, items: failureSchema, description: 'The largest group first.' },
  }),
  examples: [
    {
      items: [
        {
          error_code: 'STEP_TIMED_OUT',
          plugin_id: 'ocr',
          type: 'scan',
          count: 212,
          first_at: '2025-11-20T08:12:00.000Z',
          last_at: '2025-11-20T09:41:07.250Z',
          message: 'The attempt took longer than 600 s.',
          resource_id: scanId,
        },
      ],
    },
  ],
} as const;
