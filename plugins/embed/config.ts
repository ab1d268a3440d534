import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

export const embedConfig = {
  type: 'object',
  required: ['base_url', 'model'],
  properties: {
    base_url: {
      type: 'string',
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      description:
        'The base URL of an OpenAI-compatible API, with its version and without /embeddings: http://127.0.0.1:11434/v1 for Ollama, https://api.openai.com/v1 for OpenAI.',
    },
    model: { type: 'string', minLength: 1, description: 'The name of the model on the server.' },
    api_key: {
      type: 'string',
      pattern: '^[\\x21-\\x7e]+$',
      writeOnly: true,
      description: 'Sent as a bearer token; leave it empty if the server requires none.',
    },
    batch_size: {
      type: 'integer',
      minimum: 1,
      maximum: 2048,
      default: 32,
      description: 'The number of chunks per request. Two requests run at once.',
    },
    dimensions: {
      type: 'integer',
      minimum: 1,
      maximum: 65_536,
      description: 'The requested length of the vectors, for models that offer a choice.',
    },
    timeout_seconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 300,
      default: 120,
      description: 'The time limit of one request.',
    },
  },
} as const satisfies JSONSchema;

export type EmbedConfig = FromSchema<typeof embedConfig>;
