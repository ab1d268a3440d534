import type { ResponseSpec } from '../route.js';
import { toExamples } from './examples.js';
import { mapValues } from './map-values.js';
import type { SchemaRenderer } from './schema-renderer.js';

/** Returns the content of a response, by media type. */
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
  const shown = schema === undefined ? undefined : schemas.render(schema, 'response', name);
  const rendered =
    mediaType === 'text/event-stream'
      ? { type: 'string', contentMediaType: mediaType, contentSchema: shown }
      : (shown ?? rawSchema(mediaType));
  return { content: { [mediaType]: { schema: rendered, ...toExamples(examples, schema) }, ...others } };
}

/** Returns the schema of a raw body. `format` is for OpenAPI 3.0 generators, which recognize files only by it. */
function rawSchema(mediaType: string): object {
  if (mediaType === 'application/json') return {};
  return mediaType.startsWith('text/')
    ? { type: 'string' }
    : { type: 'string', format: 'binary', contentMediaType: mediaType };
}
