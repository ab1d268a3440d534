import type { Route } from '../route.js';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your choice, best a UUID, that names this request. For 24 hours, the same key with the same body gives the first answer and changes nothing; with another body 422 IDEMPOTENCY_MISMATCH; while the first is on its way 409 IDEMPOTENCY_IN_PROGRESS. Answers that are given again carry `Idempotent-Replayed: true`. Errors are not kept. A key belongs to an API key, an operation and its path. Of a file its content is compared.',
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
    'Tags, or `*` for any: unless one of them is the ETag of what is there, nothing changes and the answer is 412 PRECONDITION_FAILED.',
  schema: { type: 'string' },
} as const;

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Tags, or `*` for any: when one of them is the ETag of what is there, the answer is 304.',
  schema: { type: 'string' },
} as const;

const range = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes: the answer is 206 with these alone, or 416 when it lies past the end.',
  schema: { type: 'string', pattern: '^bytes=[0-9]{1,15}-[0-9]{0,15}$', examples: ['bytes=0-1023'] },
} as const;

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event received; the stream continues after it. An empty one counts as none.',
  schema: { type: 'string', examples: ['3f1c52d07a9e-7143-5120'] },
} as const;

/** The header of answers that say what something is. */
export const etagHeader = {
  ETag: 'A strong tag of what people edit and what a run settles; not of how far a step is, nor of when a worker was seen.',
} as const;

/** The header of an answer that was given before. */
export const replayedHeader = {
  'Idempotent-Replayed':
    '`true` when this is the kept answer of an earlier request with the same Idempotency-Key.',
} as const;

/** Whether a route honours If-Match. */
export function takesIfMatch(route: Pick<Route, 'tagged' | 'method'>): boolean {
  return route.tagged === true && ['PATCH', 'PUT', 'DELETE'].includes(route.method);
}

/** Whether a route honours If-None-Match. */
export function takesIfNoneMatch(route: Pick<Route, 'tagged' | 'method'>): boolean {
  return route.tagged === true && route.method === 'GET';
}

/** The parameters of a route that are headers. */
export function toHeaderParameters(route: Route): object[] {
  return [
    ...(route.idempotent === true ? [idempotencyKey] : []),
    ...(takesIfMatch(route) ? [ifMatch] : []),
    ...(takesIfNoneMatch(route) ? [ifNoneMatch] : []),
    ...(206 in route.responses ? [range] : []),
    ...(route.eventStream === true ? [lastEventId] : []),
  ];
}
