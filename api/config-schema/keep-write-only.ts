import { pointerSegment } from '../../core/json/json-pointer.js';
import { applySchema, isObject, type Applying, type JsonObject } from '@knowledge-warehouse/plugin/protocol';

/** If the marks are longer than this many characters, a single mark hides the whole config. */
const longestMarks = 64 * 1024;
/** The maximum number of values listed in `kept`. */
const mostNamed = 20;

/** A schema that hides everything the previous one hid. */
export interface KeptMarks {
  /** JSON text, or null without a schema. */
  readonly schema: string | null;
  /** JSON Pointers of the first values that the given schema would have shown; empty if it was kept unchanged. */
  readonly kept: readonly string[];
}

/** The hidden values at or below a place in a config. */
interface Marks {
  hidden: boolean;
  readonly properties: Map<string, Marks>;
  items: Marks | null;
}

const noMarks = (): Marks => ({ hidden: false, properties: new Map(), items: null });

/**
 * Returns the new schema of a config, changed so that it hides every value the previous schema hid. Values that the new
 * schema does not mark `writeOnly` are marked by an added `allOf`. If one item of an array was hidden, all items become
 * hidden.
 */
export function keepWriteOnly(before: string | null, schema: string | null, config: string): KeptMarks {
  const given: unknown = schema === null ? true : JSON.parse(schema);
  const marks = noMarks();
  const kept: string[] = [];
  const compare = (value: unknown, old: Applying, now: Applying, path: string, into: Marks): void => {
    if (now === null) return;
    if (old === null) {
      into.hidden = true;
      if (kept.length < mostNamed) kept.push(path);
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        compare(item, old.item(at), now.item(at), `${path}/${at}`, (into.items ??= noMarks()));
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        const below = into.properties.get(key) ?? noMarks();
        into.properties.set(key, below);
        compare(item, old.property(key), now.property(key), `${path}/${pointerSegment(key)}`, below);
      }
    }
  };
  if (before !== null)
    compare(JSON.parse(config), applySchema(JSON.parse(before)), applySchema(given), '', marks);
  return kept.length === 0 ? { schema, kept } : { schema: JSON.stringify(withMarks(given, marks)), kept };
}

function withMarks(schema: unknown, marks: Marks): JsonObject {
  const added = toSchema(marks) ?? {};
  const fitting = JSON.stringify(added).length > longestMarks ? { writeOnly: true } : added;
  if (!isObject(schema)) return schema === true ? fitting : { allOf: [schema, fitting] };
  const { allOf } = schema;
  return { ...schema, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), fitting] };
}

/** Returns null if nothing is hidden. */
function toSchema({ hidden, properties, items }: Marks): JsonObject | null {
  if (hidden) return { writeOnly: true };
  const named = [...properties].flatMap(([key, marks]) => {
    const schema = toSchema(marks);
    return schema === null ? [] : [[key, schema] as const];
  });
  const ofItems = items === null ? null : toSchema(items);
  if (named.length === 0 && ofItems === null) return null;
  return {
    ...(named.length > 0 && { properties: Object.fromEntries(named) }),
    ...(ofItems && { items: ofItems }),
  };
}
