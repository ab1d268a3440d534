import { ApiError, toApiError, unreachable } from './api-error.js';
import { apiBase } from './client.js';
import type { Resource } from './types.js';

export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly file: File;
  /** The same for every try, so that none registers the file twice. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

/** Registers a file. By XMLHttpRequest: `fetch` does not tell how much was sent. Throws an ApiError. */
export function uploadFile({
  name,
  type,
  file,
  idempotencyKey,
  signal,
  onProgress,
}: Upload): Promise<Resource> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.set('name', name);
    form.set('type', type);
    form.set('file', file);
    const xhr = new XMLHttpRequest();
    xhr.open('POST', `${apiBase}/resources`);
    xhr.setRequestHeader('Idempotency-Key', idempotencyKey);
    xhr.upload.addEventListener('progress', (event) => onProgress(Math.min(event.loaded, file.size)));
    xhr.addEventListener('error', () => reject(unreachable()));
    xhr.addEventListener('abort', () => reject(new ApiError(0, 'CANCELLED', 'The upload was cancelled.')));
    xhr.addEventListener('load', () => {
      if (xhr.status === 201) resolve(JSON.parse(xhr.responseText) as Resource);
      else reject(toApiError(xhr.status, xhr.responseText));
    });
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    if (signal.aborted) reject(new ApiError(0, 'CANCELLED', 'The upload was cancelled.'));
    else xhr.send(form);
  });
}
