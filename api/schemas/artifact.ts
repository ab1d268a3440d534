import { contentTypes, type ContentType } from '../../core/states.js';
import { contents } from '../examples/resource.js';
import { timestamp, uuid } from './common.js';

/** An artifact in a resource: all fields except its content. */
export const artifactSchema = {
  type: 'object',
  required: [
    'id',
    'type',
    'content_type',
    'step_index',
    'plugin_id',
    'run',
    'size_bytes',
    'metadata',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: { ...uuid, description: 'The id. It stays the same when a later run produces the artifact again.' },
    type: { type: 'string', description: 'The name the plugin gave it.', examples: ['text'] },
    content_type: { type: 'string', enum: contentTypes, description: 'The type of its content.' },
    step_index: { type: 'integer', minimum: 0, description: 'The index of the step that made it.' },
    plugin_id: { type: 'string', description: 'The plugin that made it.', examples: ['extract-text'] },
    run: { type: 'integer', minimum: 1, description: 'The run that made its content.' },
    size_bytes: { type: 'integer', minimum: 0, description: 'The size of its stored content.' },
    metadata: {
      type: 'object',
      description: 'What the plugin reported about it, in addition to the content.',
    },
    created_at: timestamp,
    updated_at: timestamp,
  },
} as const;

/** Returns the schema of an artifact with one type of content. */
const withContent = (title: string, contentType: ContentType, content: object) => ({
  title,
  type: 'object',
  required: ['id', 'type', 'content_type', 'content'],
  additionalProperties: false,
  properties: {
    id: uuid,
    type: artifactSchema.properties.type,
    content_type: { type: 'string', const: contentType, description: 'The type of its content.' },
    content,
  },
});

export const artifactContentSchema = {
  discriminator: { propertyName: 'content_type' },
  oneOf: [
    withContent('TextArtifactContent', 'text', { type: 'string', description: 'A text.' }),
    withContent('JsonArtifactContent', 'json', { type: 'object', description: 'A JSON object.' }),
    withContent('VectorArtifactContent', 'vector', {
      type: 'array',
      description: 'Numbers, or arrays of numbers that all have the same length.',
      // Not a choice between two arrays, for which ogen generates nothing.
      items: { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'number' } }] },
    }),
  ],
  examples: [contents.text],
} as const;
