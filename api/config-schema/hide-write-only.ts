type JsonObject = Record<string, unknown>;

/** Pairs of a value and a schema looked at before everything is hidden. */
const mostSteps = 200_000;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/** Keywords whose schemas apply to the value itself. */
const inPlaceOne = ['if', 'then', 'else', 'not'];
const inPlaceMany = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies'];

/**
 * A config without the values that its schema marks `writeOnly` anywhere: in branches that do not apply and under
 * patterns that do not match too, since showing too little is the smaller mistake. What a reference that is not found
 * or a schema that is too large leaves open is hidden.
 */
export function hideWriteOnly(schema: unknown, config: JsonObject): JsonObject {
  const targets = indexTargets(schema);
  let steps = 0;

  /** Every schema that may apply to a value some schemas apply to; null when one of them hides it. */
  const expand = (schemas: readonly unknown[]): Set<JsonObject> | null => {
    const all = new Set<JsonObject>();
    const open = [...schemas];
    while (open.length > 0) {
      const next = open.pop();
      if (!isObject(next) || all.has(next)) continue;
      if (next['writeOnly'] === true || (steps += 1) > mostSteps) return null;
      all.add(next);
      for (const keyword of inPlaceOne) open.push(next[keyword]);
      for (const keyword of inPlaceMany) open.push(...membersOf(next[keyword]));
      for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
        if (!Object.hasOwn(next, keyword)) continue;
        const target = targets(next[keyword]);
        if (target === undefined) return null;
        open.push(target);
      }
    }
    return all;
  };

  const show = (value: unknown, schemas: readonly unknown[]): { readonly value: unknown } | null => {
    const applying = expand(schemas);
    if (applying === null) return null;
    if (Array.isArray(value)) {
      return {
        value: value
          .flatMap(
            (item, at) =>
              show(
                item,
                [...applying].flatMap((each) => itemSchemas(each, at)),
              ) ?? [],
          )
          .map((shown) => shown.value),
      };
    }
    if (!isObject(value)) return { value };
    const entries = Object.entries(value).flatMap(([key, item]) => {
      const shown = show(
        item,
        [...applying].flatMap((each) => propertySchemas(each, key)),
      );
      return shown === null ? [] : [[key, shown.value] as const];
    });
    return { value: Object.fromEntries(entries) };
  };

  return (show(config, [schema])?.value ?? {}) as JsonObject;
}

function propertySchemas(schema: JsonObject, key: string): unknown[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : null;
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  return [...patterns, ...(named ?? [additionalProperties, unevaluatedProperties])];
}

function itemSchemas(schema: JsonObject, at: number): unknown[] {
  const { items, prefixItems, additionalItems, contains, unevaluatedItems } = schema;
  const listed = [items, prefixItems].flatMap((list) =>
    Array.isArray(list) ? [(list as unknown[])[at]] : [list],
  );
  return [...listed, additionalItems, contains, unevaluatedItems];
}

/** Finds what a reference inside the schema points to: JSON Pointers, anchors and ids. */
function indexTargets(root: unknown): (reference: unknown) => unknown {
  const named = new Map<unknown, unknown>([['#', root]]);
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isObject(next)) {
      const { $id, $anchor, $dynamicAnchor } = next;
      if (typeof $id === 'string') named.set($id, next);
      for (const anchor of [$anchor, $dynamicAnchor])
        if (typeof anchor === 'string') named.set(`#${anchor}`, next);
    }
    open.push(...membersOf(next));
  }
  return (reference) => named.get(reference) ?? followPointer(root, reference);
}

function followPointer(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let target = root;
  for (const segment of reference.slice(2).split('/')) {
    const key = decodeSegment(segment);
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return segment;
  }
}
