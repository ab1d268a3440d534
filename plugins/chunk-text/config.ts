import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

export const chunkTextConfig = {
  type: 'object',
  properties: {
    unit: {
      type: 'string',
      enum: ['tokens', 'characters'],
      default: 'tokens',
      description: 'The unit of size and overlap: tokens of a language model, or Unicode code points.',
    },
    encoding: {
      type: 'string',
      enum: ['o200k_base', 'cl100k_base'],
      default: 'o200k_base',
      description: 'The encoding whose tokens are counted; ignored for characters.',
    },
    size: {
      type: 'integer',
      minimum: 16,
      maximum: 32_768,
      default: 512,
      description: 'The maximum size of a chunk, in units.',
    },
    overlap: {
      type: 'integer',
      minimum: 0,
      maximum: 32_767,
      default: 64,
      description: 'The maximum overlap with the previous chunk, in units; less than size.',
    },
  },
} as const satisfies JSONSchema;

export type ChunkTextConfig = FromSchema<typeof chunkTextConfig>;
