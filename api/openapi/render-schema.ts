import { answerComponents, requestComponents } from './components.js';

/** Whether a schema is of what we answer with or of what we are asked. */
export type Side = 'answer' | 'request';

const nameOf = new Map<unknown, string>(
  Object.entries({ ...answerComponents, ...requestComponents }).map(([name, schema]) => [schema, name]),
);

/**
 * A schema as it stands in the document: named ones become references, keywords of our own (x-…) are left out. Answers are
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
  const shown = 'x-trim' in schema ? asTrimmed(schema) : schema;
  const kept = Object.entries(shown).filter(
    ([key, value]) =>
      !key.startsWith('x-') && !(side === 'answer' && key === 'additionalProperties' && value === false),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, renderSchema(value, side)]));
}

/** What String.prototype.trim takes away, written so that every dialect of regular expressions reads it. */
const space = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const control = '\\u0000-\\u001f\\u007f-\\u009f';

/** A text whose rules hold once `x-trim` has taken the spaces around it away, said in one pattern. */
function asTrimmed(schema: object): object {
  const { minLength: _least, maxLength = 1, ...rest } = schema as { minLength?: number; maxLength?: number };
  const [inner, edge] = [`[^${control}]`, `[^${space}${control}]`];
  return { ...rest, pattern: `^[${space}]*${edge}(${inner}{0,${maxLength - 2}}${edge})?[${space}]*$` };
}
