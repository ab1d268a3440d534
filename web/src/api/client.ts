import { toApiError, unreachable } from './api-error.js';
import type { Tagged } from './types.js';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Of what the change is based on; null where none is known. */
  readonly ifMatch?: string | null;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export const apiBase = '/api/v1';

/** Asks the API. Throws an ApiError, or the signal's reason. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<Tagged<T>> {
  const { method = 'GET', body, ifMatch, idempotencyKey, signal } = options;
  const headers = new Headers();
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (ifMatch) headers.set('If-Match', ifMatch);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  const answer = await fetch(apiBase + path, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : unreachable();
  });
  const text = await answer.text();
  if (!answer.ok) throw toApiError(answer.status, text);
  return { value: (text === '' ? undefined : JSON.parse(text)) as T, etag: answer.headers.get('ETag') };
}

/** The same for who needs the body alone. */
export async function requestValue<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await request<T>(path, options)).value;
}

/** A query string of what is not empty, with its question mark. */
export function toQuery(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
