import type { Reply } from './attempt.js';

export function refuse(status: number, code: string, message: string, details: object = {}): Reply {
  return { status, body: { error: { code, message, details } } };
}

/** Core's answer while a part of it is away. */
export const unavailable: Reply = {
  ...refuse(503, 'STORAGE_UNAVAILABLE', 'Core is briefly unavailable.'),
  headers: { 'retry-after': '1' },
};

/** Whether Core accepts a JSON body with this Content-Type. */
export const isJsonType = (mediaType: string): boolean =>
  /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.test(mediaType);

export const notJson = (): Reply =>
  refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');

/** Returns Core's answer to an accepted report. */
export function accepted(duplicate: boolean): Reply {
  return { status: 200, body: { accepted: true, duplicate, cancel_requested: false } };
}

export function attemptClosed(reason: 'SETTLED' | 'CANCELLED' | 'TIMED_OUT'): Reply {
  return refuse(409, 'ATTEMPT_CLOSED', 'The attempt is closed.', { reason });
}
