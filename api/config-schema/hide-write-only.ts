import { applySchema, isObject, type Applying, type JsonObject } from '@knowledge-warehouse/plugin/protocol';

/**
 * Removes the values that a schema marks `writeOnly` anywhere, including branches that do not apply and
 * patterns that do not match: hiding too much is safer than showing too much. Unresolved references and
 * oversized schemas hide their values. Linear in the size of config and schema.
 */
export function hideWriteOnly(schema: unknown, config: JsonObject): JsonObject {
  return (show(config, applySchema(schema))?.value ?? {}) as JsonObject;
}

/** Does the same with JSON texts. */
export function hideWriteOnlyText(schema: string, config: string): string {
  return JSON.stringify(hideWriteOnly(JSON.parse(schema), JSON.parse(config) as JsonObject));
}

function show(value: unknown, place: Applying): { readonly value: unknown } | null {
  if (place === null) return null;
  if (Array.isArray(value)) {
    const shown = value.flatMap((item, at) => show(item, place.item(at)) ?? []);
    return { value: shown.map((each) => each.value) };
  }
  if (!isObject(value)) return { value };
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const shown = show(item, place.property(key));
    return shown === null ? [] : [[key, shown.value] as const];
  });
  return { value: Object.fromEntries(entries) };
}
