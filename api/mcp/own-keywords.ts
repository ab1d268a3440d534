/** Returns a JSON Schema for clients, without the keywords that only our own validation knows (x-…). */
export function withoutOwnKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnKeywords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutOwnKeywords(value)]));
}
