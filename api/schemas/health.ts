import { errorSchema } from './common.js';

export const healthSchema = {
  type: 'object',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { const: 'ok' } },
} as const;

const check = {
  type: 'object',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { type: 'string', enum: ['ok', 'error'] }, message: { type: 'string' } },
} as const;

const checks = {
  type: 'object',
  required: ['postgresql', 'temporal', 'object_store'],
  additionalProperties: false,
  properties: { postgresql: check, temporal: check, object_store: check },
} as const;

export const readySchema = {
  type: 'object',
  required: ['status', 'checks'],
  additionalProperties: false,
  properties: { status: { const: 'ok' }, checks },
} as const;

export const notReadySchema = {
  type: 'object',
  required: ['status', 'checks', 'error'],
  additionalProperties: false,
  properties: { status: { const: 'error' }, checks, ...errorSchema.properties },
} as const;
