import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** The config of embed. */
export const embedConfig = {
  type: 'object',
  required: ['base_url', 'model'],
  properties: {
    base_url: {
      type: 'string',
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      description:
        'Where an OpenAI-compatible API begins, with its version and without /embeddings: http://127.0.0.1:11434/v1 for Ollama, https://api.openai.com/v1 for OpenAI.',
    },
    model: { type: 'string', minLength: 1, description: 'The name of the model, as the server knows it.' },
    api_key: {
      type: 'string',
      pattern: '^[\\x21-\\x7e]+$',
      writeOnly: true,
      description: 'Sent as a bearer token; left out for a server that asks for none.',
    },
    batch_size: {
      type: 'integer',
      minimum: 1,
      maximum: 2048,
      default: 32,
      description: 'How many chunks one request carries. Two requests are under way at once.',
    },
    dimensions: {
      type: 'integer',
      minimum: 1,
      maximum: 65_536,
      description: 'The length of the vectors to ask for, of a model that offers a choice.',
    },
    timeout_seconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 300,
      default: 120,
      description: 'How long one request may take.',
    },
  },
} as const satisfies JSONSchema;

export type EmbedConfig = FromSchema<typeof embedConfig>;
