import * as api from '@knowledge-warehouse/client';
import type { Patience } from '@knowledge-warehouse/client';

import type { Service } from './find-service.js';
import { createTransport } from './transport.js';

/** A client of a service's API, acting for the user of the command. */
export interface Client extends api.Client {
  readonly service: Service;
  close(): Promise<void>;
}

/** @param signal Ends every request; they then reject with its reason. */
export function createClient(
  service: Service,
  options: { readonly signal: AbortSignal; readonly patience: Patience },
): Client {
  const { url, apiKey } = service;
  const { transport, close } = createTransport(url);
  return { ...api.createClient({ url, apiKey, transport, ...options }), service, close };
}

/** Lets a change be carried out only on what was seen. */
export const ifMatch = (etag: string | null): { readonly 'If-Match'?: string } =>
  etag === null ? {} : { 'If-Match': etag };
