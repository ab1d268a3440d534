import * as api from '@knowledge-warehouse/client';
import type { Patience } from '@knowledge-warehouse/client';

import type { Service } from './find-service.js';
import { createTransport } from './transport.js';

/** A client for a service's API that uses the key of the command's user. */
export interface Client extends api.Client {
  readonly service: Service;
  close(): Promise<void>;
}

/** @param signal Aborts all requests, which then reject with its reason. */
export function createClient(
  service: Service,
  options: { readonly signal: AbortSignal; readonly patience: Patience },
): Client {
  const { url, apiKey } = service;
  const { transport, close } = createTransport(url);
  return { ...api.createClient({ url, apiKey, transport, ...options }), service, close };
}

/** Makes a change conditional on the version that was seen. */
export const ifMatch = (etag: string | null): { readonly 'If-Match'?: string } =>
  etag === null ? {} : { 'If-Match': etag };
