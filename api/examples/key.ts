import { documentsId } from './ids.js';

export const keyId = '019aa0a1-3c5e-7d18-b6f4-92d0c7e1a5b3';

/** The key of a program that registers resources. */
export const importerKey = {
  id: keyId,
  name: 'Importer',
  prefix: 'kw_4tQm9aX',
  scopes: ['write'],
  rate_limit: null,
  created_at: '2025-11-20T09:00:00.000Z',
  expires_at: '2026-11-20T09:00:00.000Z',
  revoked_at: null,
  last_used_at: '2025-11-20T09:30:00.000Z',
};

export const newKey = { name: 'Importer', scopes: ['write'], expires_at: '2099-11-20T09:00:00.000Z' };

export const createdKey = {
  ...importerKey,
  expires_at: newKey.expires_at,
  last_used_at: null,
  secret: 'kw_4tQm9aXW2vT0c7sYkPzR1uHnB8eLdGfJ5iOoQxVwA3M',
};

/** A change of a pipeline's steps. */
export const auditEntry = {
  id: '1',
  at: '2025-11-20T09:41:12.704Z',
  key: { id: '019a9b1c-0f4e-7b2a-9c3d-8e5f6a7b8c9d', name: 'admin' },
  address: '192.0.2.17',
  action: 'replacePipeline',
  object: { type: 'pipeline', id: documentsId },
  request_id: '019aa0a4-5b0c-7f3e-8d21-6a9e4c7b1f02',
};
