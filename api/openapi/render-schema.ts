import { answerComponents, requestComponents } from './components.js';

/** Whether a schema is of what we answer with or of what we are asked. */
export type Side = 'answer' | 'request';

const nameOf = new Map<unknown, string>(
  Object.entries({ ...answerComponents, ...requestComponents }).map(([name, schema]) => [schema, name]),
);

/**
 * A schema as it stands in the document: named ones become references, keywords of our own are left out. Answers are
 * open there, so that a field that is added later breaks no client.
 */
export function renderSchema(schema: unknown, side: Side): unknown {
  const name = nameOf.get(schema);
  return name === undefined ? renderWhole(schema, side) : { $ref: `#/components/schemas/${name}` };
}

/** All named schemas. */
export function renderComponents(): Record<string, unknown> {
  const render = (components: Readonly<Record<string, object>>, side: Side): [string, unknown][] =>
    Object.entries(components).map(([name, schema]) => [name, renderWhole(schema, side)]);
  return Object.fromEntries([...render(answerComponents, 'answer'), ...render(requestComponents, 'request')]);
}

function renderWhole(schema: unknown, side: Side): unknown {
  if (Array.isArray(schema)) return schema.map((each) => renderSchema(each, side));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      key !== 'x-trim' && !(side === 'answer' && key === 'additionalProperties' && value === false),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, renderSchema(value, side)]));
}
