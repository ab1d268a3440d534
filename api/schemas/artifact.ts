import { contentTypes, type ContentType } from '../../core/states.js';
import { contents } from '../examples/resource.js';
import { count, objectOf, text, timestamp, uuid } from './common.js';

/** An artifact in a resource: all fields except its content. */
export const artifactSchema = objectOf({
  id: { ...uuid, description: 'The id. It stays the same when a later run produces the artifact again.' },
  type: text('Its type, which the plugin chose.', 'text'),
  content_type: { type: 'string', enum: contentTypes, description: 'The type of its content.' },
  step_index: count('The index of the step that made it.'),
  plugin_id: text('The plugin that made it.', 'extract-text'),
  run: count('The run that made its content.', 1),
  size_bytes: count('The size of its stored content.'),
  metadata: {
    type: 'object',
    description: 'What the plugin reported about it, in addition to the content.',
  },
  created_at: timestamp,
  updated_at: timestamp,
});

/** Returns the schema of an artifact with one type of content. */
const withContent = (title: string, contentType: ContentType, content: object) => ({
  title,
  ...objectOf({
    id: uuid,
    type: artifactSchema.properties.type,
    content_type: { type: 'string', const: contentType, description: 'The type of its content.' },
    content,
  }),
});

export const artifactContentSchema = {
  discriminator: { propertyName: 'content_type' },
  oneOf: [
    withContent('TextArtifactContent', 'text', text('A text.')),
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
