import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

const secret = { type: 'string', pattern: '^[\\x21-\\x7e]+$', writeOnly: true } as const;

export const registerVectorsConfig = {
  type: 'object',
  properties: {
    vector_store_url: {
      type: 'string',
      default: 'lancedb:',
      description:
        'The address of the vector store: lancedb: (LanceDB in the data directory), lancedb:/a/folder, lancedb:s3://bucket/prefix, or http(s)://host:port of a Chroma server.',
    },
    collection: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$',
      default: 'knowledge_warehouse',
      description: 'The table or collection, created if missing. All its vectors have the same length.',
    },
    api_key: { ...secret, description: 'For Chroma: sent as a bearer token and as x-chroma-token.' },
    tenant: { type: 'string', minLength: 1, default: 'default_tenant', description: 'For Chroma.' },
    database: { type: 'string', minLength: 1, default: 'default_database', description: 'For Chroma.' },
    s3_endpoint: {
      type: 'string',
      pattern: '^https?://[^\\s/?#@]+/?$',
      description: 'For LanceDB on an S3 other than Amazon’s: its endpoint.',
    },
    s3_region: { type: 'string', minLength: 1, default: 'us-east-1', description: 'For LanceDB on S3.' },
    s3_access_key_id: {
      type: 'string',
      minLength: 1,
      description: 'For LanceDB on S3; default: the credentials of the worker’s environment.',
    },
    s3_secret_access_key: { ...secret, description: 'For LanceDB on S3, together with s3_access_key_id.' },
  },
} as const satisfies JSONSchema;

export type RegisterVectorsConfig = FromSchema<typeof registerVectorsConfig>;
