/** Parameters whose values are separated by commas; all others are repeated. */
const commaSeparated: ReadonlySet<string> = new Set(['include']);

/** Returns the query of a URL. Properties of an object, such as `metadata`, become separate parameters. */
export function serializeQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) {
      if (commaSeparated.has(name)) parameters.append(name, value.join(','));
      else for (const each of value) add(name, each);
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, each] of Object.entries(value)) add(member, each);
    } else if (typeof value === 'string') parameters.append(name, value);
    else if (typeof value === 'number' || typeof value === 'boolean') parameters.append(name, String(value));
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return parameters.toString();
}
