import type { ResponseSpec } from '../route.js';
import { toExamples } from './examples.js';
import { mapValues } from './map-values.js';
import type { SchemaRenderer } from './schema-renderer.js';

/** The body of an answer, by media type. */
export function toResponseContent(
  { schema, mediaType = schema && 'application/json', examples, alternatives = {} }: ResponseSpec,
  schemas: SchemaRenderer,
  name: string,
): { readonly content?: object } {
  const others = mapValues(alternatives, (shown, type) => ({
    schema: rawSchema(type),
    ...toExamples(shown, undefined),
  }));
  if (mediaType === undefined) return Object.keys(others).length === 0 ? {} : { content: others };
  const shown = schema === undefined ? undefined : schemas.render(schema, 'answer', name);
  const rendered =
    mediaType === 'text/event-stream'
      ? { type: 'string', contentMediaType: mediaType, contentSchema: shown }
      : (shown ?? rawSchema(mediaType));
  return { content: { [mediaType]: { schema: rendered, ...toExamples(examples, schema) }, ...others } };
}

/** `format` is for generators that follow OpenAPI 3.0, where it alone said that a body is a file. */
function rawSchema(mediaType: string): object {
  if (mediaType === 'application/json') return {};
  return mediaType.startsWith('text/')
    ? { type: 'string' }
    : { type: 'string', format: 'binary', contentMediaType: mediaType };
}
