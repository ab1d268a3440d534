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
        'Whether the main part of an HTML page is taken in place of all that it shows. "auto" takes it of a page that was ' +
        'fetched from a URL, where it has at least half of the words of the page, and never of an uploaded file.',
    },
    timeout_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description:
        'Longest time an extraction may take, in seconds. The time-out of the step applies as well.',
    },
    max_memory_mb: {
      type: 'integer',
      minimum: 128,
      maximum: 65_536,
      default: 1024,
      description: 'Most memory the process that reads the file may hold, in MiB.',
    },
    max_output_bytes: {
      type: 'integer',
      minimum: 1024,
      maximum: 268_435_456,
      default: 33_554_432,
      description: 'Largest text that is accepted, in bytes of UTF-8.',
    },
    max_unpacked_bytes: {
      type: 'integer',
      minimum: 1_048_576,
      maximum: 8_589_934_592,
      default: 536_870_912,
      description: 'Most bytes that are unpacked of a zipped file (DOCX, PPTX, XLSX, ODT, EPUB).',
    },
  },
} as const satisfies JSONSchema;

export type ExtractTextConfig = FromSchema<typeof extractTextConfig>;
