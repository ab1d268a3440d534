/** The characters that String.prototype.trim removes, in a form that every regular expression dialect supports. */
const space = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const control = '\\u0000-\\u001f\\u007f-\\u009f';

/** Returns an `x-trim` schema, whose rules apply after trimming, with one pattern for both. */
export function asTrimmed(schema: object): object {
  const { minLength: _least, maxLength = 1, ...rest } = schema as { minLength?: number; maxLength?: number };
  const [inner, edge] = [`[^${control}]`, `[^${space}${control}]`];
  return { ...rest, pattern: `^[${space}]*${edge}(${inner}{0,${maxLength - 2}}${edge})?[${space}]*$` };
}
