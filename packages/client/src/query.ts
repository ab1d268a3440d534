/** Parameters whose several values are separated by commas; every other one is repeated. */
const commaSeparated: ReadonlySet<string> = new Set(['include']);

/** The query of a URL. The properties of an object are parameters of their own, such as those of `metadata`. */
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
