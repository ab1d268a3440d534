import { ApiError, createClient, defaultTransport, Unreachable } from '@knowledge-warehouse/client';
import { basePath } from '../base-path.js';

export const apiBase = `${basePath}/api/v1`;

const answered = new EventTarget();

/** Calls `call` after each successful response, until the signal aborts. */
export const onAnswer = (call: () => void, signal: AbortSignal): void =>
  answered.addEventListener('answer', call, { signal });

/** The API of the service that serves this page. */
export const api = createClient({
  url: basePath,
  async transport(request) {
    const response = await defaultTransport(request);
    if (response.ok) answered.dispatchEvent(new Event('answer'));
    return response;
  },
});

export const isApiError = (error: unknown, code?: string): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);

/** Whether an error means that the service does not answer: it is unreachable, or it (or a proxy in front of it) returns 5xx. */
export const isAway = (error: unknown): boolean =>
  error instanceof Unreachable || (isApiError(error) && error.status >= 500);

/** Waits until the service answers. Resolves with whether it was away; if the signal aborts, at once. */
export async function outlastOutage(signal?: AbortSignal): Promise<boolean> {
  let wasAway = false;
  const onRetry = (error: Error): void => void (wasAway ||= isAway(error));
  try {
    await api.GET('/session', { patience: { tries: Infinity, onRetry }, signal });
  } catch {
    // Any other answer also shows that it is there.
  }
  return wasAway;
}

/** Returns the header that makes a change conditional on the version it is based on. */
export const ifMatch = (etag: string | null | undefined): { readonly 'If-Match'?: string } =>
  etag ? { 'If-Match': etag } : {};

/** A response of the API with its ETag, for conditional changes. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string | null;
  /** It was deleted meanwhile. */
  readonly isDeleted?: boolean;
}

/** Waits for what was loaded again. If it is gone, returns what was loaded before, as deleted. */
export async function orDeleted<T>(
  loading: Promise<Tagged<T>>,
  before: Tagged<T> | undefined,
): Promise<Tagged<T>> {
  try {
    return await loading;
  } catch (error) {
    if (before === undefined || !isApiError(error, 'NOT_FOUND')) throw error;
    return { ...before, isDeleted: true };
  }
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export type JsonObject = Record<string, unknown>;
