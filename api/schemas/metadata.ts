import { maxMetadataKeys } from '../../core/resources/metadata.js';

/** Texts in metadata: PostgreSQL supports neither NUL nor lone surrogates in searchable JSON. */
export const metadataText = {
  maxLength: 16_384,
  pattern: '^[^\\u0000]*$',
  'x-well-formed': true,
} as const;

const rules =
  'At most 64 keys and 16 KiB as JSON; a key has 1 to 64 letters, digits, `_`, `.` and `-`; a value is a string, a number, a boolean, null, or an array of strings.';

const items = { type: 'string', ...metadataText, description: 'A string.' } as const;

export const metadataSchema = {
  title: 'Metadata',
  type: 'object',
  maxProperties: maxMetadataKeys,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'null', 'array'],
    ...metadataText,
    items,
  },
  description: `Your own keys and values, by which you can find it; processing ignores them. ${rules}`,
  examples: [{ team: 'archive', year: 2025, tags: ['handbook', 'printed'] }],
} as const;

export const metadataPatchSchema = {
  ...metadataSchema,
  title: 'MetadataPatch',
  type: ['object', 'null'],
  // A patch may remove as many keys as it adds.
  maxProperties: 2 * maxMetadataKeys,
  description: `A JSON Merge Patch (RFC 7396) of its metadata: omitted keys stay as they are, null removes a key, and null instead of the object removes all keys. ${rules}`,
  examples: [{ year: 2026, draft: null }],
} as const;
