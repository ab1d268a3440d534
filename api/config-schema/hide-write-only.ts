import { applySchema, isObject, type Applying, type JsonObject } from '@knowledge-warehouse/plugin/protocol';

/**
 * A config without the values that its schema marks `writeOnly` anywhere: in branches that do not apply and under
 * patterns that do not match too, since showing too little is the smaller mistake. What a reference that is not found
 * or a schema that is too large leaves open is hidden. Takes time in line with the config and the schema.
 */
export function hideWriteOnly(schema: unknown, config: JsonObject): JsonObject {
  return (show(config, applySchema(schema))?.value ?? {}) as JsonObject;
}

/** The same for texts of JSON. */
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
