import { errorSchema, objectOf, text } from './common.js';

export const healthSchema = {
  title: 'Liveness',
  ...objectOf({ status: { const: 'ok' } }),
  examples: [{ status: 'ok' }],
} as const;

const check = {
  title: 'HealthCheck',
  type: 'object',
  required: ['status'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ['ok', 'error'], description: 'Whether it can be used.' },
    message: text('Why it is not ok.'),
  },
} as const;

export const healthChecksSchema = {
  title: 'HealthChecks',
  ...objectOf({ postgresql: check, temporal: check, object_store: check }),
} as const;

export const readySchema = {
  title: 'Readiness',
  ...objectOf({ status: { const: 'ok' }, checks: healthChecksSchema }),
  examples: [
    {
      status: 'ok',
      checks: { postgresql: { status: 'ok' }, temporal: { status: 'ok' }, object_store: { status: 'ok' } },
    },
  ],
} as const;

export const notReadySchema = {
  title: 'NotReady',
  ...objectOf({ status: { const: 'error' }, checks: healthChecksSchema, ...errorSchema.properties }),
  examples: [
    {
      status: 'error',
      checks: {
        postgresql: { status: 'ok' },
        temporal: { status: 'error', message: 'Temporal cannot be reached.' },
        object_store: { status: 'ok' },
      },
      error: { code: 'TEMPORAL_UNAVAILABLE', message: 'Not ready: temporal.', details: {} },
    },
  ],
} as const;
