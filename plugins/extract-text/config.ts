import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** The config of extract-text: what to keep of web pages, and the limits of one extraction. */
export const extractTextConfig = {
  type: 'object',
  properties: {
    main_content: {
      type: 'string',
      enum: ['auto', 'always', 'never'],
      default: 'auto',
      description:
        'Whether to keep only the main part of an HTML page. "auto" does so for a page that was ' +
        'fetched from a URL, if its main part has at least half of the words, and never for an uploaded file.',
    },
    timeout_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: 'The time limit of an extraction, in seconds. The time-out of the step also applies.',
    },
    max_memory_mb: {
      type: 'integer',
      minimum: 128,
      maximum: 65_536,
      default: 1024,
      description: 'The memory limit of the process that reads the file, in MiB.',
    },
    max_output_bytes: {
      type: 'integer',
      minimum: 1024,
      maximum: 268_435_456,
      default: 33_554_432,
      description: 'The size limit of the text, in bytes of UTF-8.',
    },
    max_unpacked_bytes: {
      type: 'integer',
      minimum: 1_048_576,
      maximum: 8_589_934_592,
      default: 536_870_912,
      description: 'The limit of bytes unpacked from a zipped file (DOCX, PPTX, XLSX, ODT, EPUB).',
    },
  },
} as const satisfies JSONSchema;

export type ExtractTextConfig = FromSchema<typeof extractTextConfig>;
