import type { Route } from '../route.js';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A string that identifies this request, preferably a UUID. For 24 hours, the same key with the same body returns the first response and changes nothing. With a different body, it returns 422 IDEMPOTENCY_MISMATCH; while the first request is in progress, 409 IDEMPOTENCY_IN_PROGRESS. Repeated responses carry `Idempotent-Replayed: true`. Errors are not stored. A key is valid only for one API key, operation and path. Files are compared by content.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]([ -~]*[!-~])?$',
    examples: ['5f0c9f0e-3b52-4a7e-9c0b-2f1d7a86e4b3'],
  },
} as const;

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Entity tags, or `*` for any. Unless one of them is the current ETag, nothing changes and the response is 412 PRECONDITION_FAILED.',
  schema: { type: 'string' },
} as const;

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Entity tags, or `*` for any. If one of them is the current ETag, the response is 304.',
  schema: { type: 'string' },
} as const;

const range = {
  name: 'Range',
  in: 'header',
  required: false,
  description:
    'One range of bytes. The response is 206 with only these bytes, or 416 if the range begins past the end.',
  schema: {
    type: 'string',
    pattern: '^bytes=([0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$',
    examples: ['bytes=0-1023'],
  },
} as const;

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event received; the stream continues after it. An empty value is ignored.',
  schema: { type: 'string', examples: ['3f1c52d07a9e-7143-5120'] },
} as const;

export const etagHeader = {
  ETag: 'A strong entity tag. It covers what users edit and the outcomes of runs, but not the progress of a step or when a worker was last seen.',
} as const;

/** The header of a replayed response. */
export const replayedHeader = {
  'Idempotent-Replayed':
    '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
} as const;

export function takesIfMatch(route: Pick<Route, 'tagged' | 'method'>): boolean {
  return route.tagged === true && ['PATCH', 'PUT', 'DELETE'].includes(route.method);
}

export function takesIfNoneMatch(route: Pick<Route, 'tagged' | 'method'>): boolean {
  return route.tagged === true && route.method === 'GET';
}

export function toHeaderParameters(route: Route): object[] {
  return [
    ...(route.idempotent === true ? [idempotencyKey] : []),
    ...(takesIfMatch(route) ? [ifMatch] : []),
    ...(takesIfNoneMatch(route) ? [ifNoneMatch] : []),
    ...(206 in route.responses ? [range] : []),
    ...(route.eventStream === true ? [lastEventId] : []),
  ];
}
