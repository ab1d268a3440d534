export type JsonObject = Record<string, unknown>;

/** Maximum number of schemas that are examined; after that, everything else is hidden. */
const mostSteps = 100_000;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/** Keywords whose subschemas apply to the value itself. */
const inPlaceOne = ['if', 'then', 'else', 'not'];
const inPlaceMany = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies'];
const references = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The schemas that may apply to a value and thus to its contents; null if one of them hides it. */
export type Applying = Place | null;

/** Returns the schemas that apply to a whole value. */
export function applySchema(schema: unknown): Applying {
  return new Schemas(schema).applying([schema]);
}

/** A position in a config. What applies below it is computed only once for equal items and for equal properties. */
export class Place {
  readonly #schemas: Schemas;
  readonly #all: ReadonlySet<JsonObject>;
  readonly #properties = new Map<string, Applying>();
  readonly #items = new Map<number, Applying>();
  #names: ReadonlySet<string> | null = null;
  #listed: number | null = null;

  constructor(schemas: Schemas, all: ReadonlySet<JsonObject>) {
    this.#schemas = schemas;
    this.#all = all;
  }

  property(key: string): Applying {
    this.#names ??= this.#collectNames();
    // The same schemas apply to all properties that no schema names, so these share the key ''.
    const name = this.#names.has(key) ? `=${key}` : '';
    return remembered(this.#properties, name, () => this.#within((each) => propertySchemas(each, key)));
  }

  item(at: number): Applying {
    this.#listed ??= this.#longestList();
    const place = Math.min(at, this.#listed);
    return remembered(this.#items, place, () => this.#within((each) => itemSchemas(each, place)));
  }

  #collectNames(): Set<string> {
    const names = new Set<string>();
    for (const { properties } of this.#all) {
      if (!isObject(properties) || this.#schemas.tooMany()) continue;
      for (const key of Object.keys(properties)) if (!this.#schemas.tooMany()) names.add(key);
    }
    return names;
  }

  #longestList(): number {
    let longest = 0;
    for (const { items, prefixItems } of this.#all)
      for (const list of [items, prefixItems])
        if (Array.isArray(list)) longest = Math.max(longest, list.length);
    return longest;
  }

  #within(schemasIn: (schema: JsonObject) => unknown[]): Applying {
    const open: unknown[] = [];
    for (const each of this.#all) {
      if (this.#schemas.tooMany()) return null;
      for (const schema of schemasIn(each)) open.push(schema);
    }
    return this.#schemas.applying(open);
  }
}

function remembered<Key>(known: Map<Key, Applying>, key: Key, find: () => Applying): Applying {
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = find()));
  return found;
}

/** A whole schema, and the number of subschemas that may still be examined. */
class Schemas {
  readonly #root: unknown;
  readonly #targets = new Map<unknown, unknown>();
  #find: ((reference: unknown) => unknown) | null = null;
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  tooMany(): boolean {
    return ++this.#steps > mostSteps;
  }

  /** Collects all schemas that may apply to a value that the given schemas apply to. */
  applying(schemas: unknown[]): Applying {
    const all = new Set<JsonObject>();
    const open = schemas;
    while (open.length > 0) {
      if (this.tooMany()) return null;
      const next = open.pop();
      if (!isObject(next) || all.has(next)) continue;
      if (next['writeOnly'] === true) return null;
      all.add(next);
      for (const keyword of inPlaceOne) if (next[keyword] !== undefined) open.push(next[keyword]);
      for (const keyword of inPlaceMany) for (const member of membersOf(next[keyword])) open.push(member);
      for (const keyword of references) {
        if (!Object.hasOwn(next, keyword)) continue;
        const target = this.#target(next[keyword]);
        if (target === undefined) return null;
        open.push(target);
      }
    }
    return new Place(this, all);
  }

  #target(reference: unknown): unknown {
    this.#find ??= indexTargets(this.#root);
    if (!this.#targets.has(reference)) this.#targets.set(reference, this.#find(reference));
    return this.#targets.get(reference);
  }
}

function propertySchemas(schema: JsonObject, key: string): unknown[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : null;
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  return [...patterns, ...(named ?? [additionalProperties, unevaluatedProperties])].filter(isSchema);
}

function itemSchemas(schema: JsonObject, at: number): unknown[] {
  const { items, prefixItems, additionalItems, contains, unevaluatedItems } = schema;
  const listed = [items, prefixItems].flatMap((list) =>
    Array.isArray(list) ? [(list as unknown[])[at]] : [list],
  );
  return [...listed, additionalItems, contains, unevaluatedItems].filter(isSchema);
}

/** `true` and `false` hide nothing. */
const isSchema = (schema: unknown): boolean => typeof schema === 'object';

/**
 * Returns a function that finds the target of a reference inside the schema: JSON Pointers, anchors and the root's id. It
 * finds none if the reference may have several meanings: an anchor that occurs twice, and everything in a schema that
 * embeds others, which have an `$id` below the root.
 */
function indexTargets(root: unknown): (reference: unknown) => unknown {
  const named = new Map<unknown, unknown>([['#', root]]);
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isObject(next)) {
      const { $id, $anchor, $dynamicAnchor } = next;
      // Until draft 7, an anchor is an `$id` that begins with '#'.
      const isAnchor = typeof $id === 'string' && $id.startsWith('#');
      if (typeof $id === 'string' && !isAnchor) {
        if (next !== root) return () => undefined;
        named.set($id, next);
      }
      for (const anchor of [isAnchor ? $id.slice(1) : null, $anchor, $dynamicAnchor]) {
        if (typeof anchor !== 'string') continue;
        const name = `#${anchor}`;
        const isTwice = named.has(name) && named.get(name) !== next;
        named.set(name, isTwice ? undefined : next);
      }
    }
    for (const member of membersOf(next)) open.push(member);
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
