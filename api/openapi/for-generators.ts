import { compact, isModel, isTaggedUnion, typesOf, type JsonSchema } from './json-schema.js';

/**
 * Returns a schema that accepts the same values, in a form that client generators understand: an object type is only an
 * object, the variants of a choice are whole objects, and a constant has a type.
 */
export function forGenerators(schema: JsonSchema): JsonSchema {
  const known = done.get(schema);
  if (known !== undefined) return known;
  const changed = change(schema);
  done.set(schema, changed);
  return changed;
}

/** Keeps a schema that is used in two places one object. */
const done = new WeakMap<JsonSchema, JsonSchema>();

function change(schema: JsonSchema): JsonSchema {
  if (isTaggedUnion(schema)) return withWholeVariants(schema);
  if (isMixed(schema)) return asChoice(schema);
  return withTypedConst(withConditions(schema));
}

const objectKeywords = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];
const arrayKeywords = ['items', 'minItems', 'maxItems', 'uniqueItems'];

/** Whether a schema accepts several types, other than a simple type or null. */
function isMixed(schema: JsonSchema): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null');
  const isSimple = schema.properties === undefined && schema.items === undefined;
  return types.length > 1 || (typesOf(schema).length > 1 && !isSimple);
}

/** Converts `{"type": ["object", "null"], "properties": …}` to a choice between an object and null. */
function asChoice(schema: JsonSchema): JsonSchema {
  const { description, examples } = schema;
  const variants = typesOf(schema).map((type) => {
    const kept = type === 'object' ? ['title', ...objectKeywords] : type === 'array' ? arrayKeywords : [];
    return { type, ...Object.fromEntries(Object.entries(schema).filter(([name]) => kept.includes(name))) };
  });
  return compact({ description, anyOf: variants, examples });
}

/** Repeats the shared properties of a tagged choice in each variant, so that each is a complete object. */
function withWholeVariants(schema: JsonSchema): JsonSchema {
  const { type: _type, properties = {}, required = [], discriminator, oneOf = [], ...rest } = schema;
  const { propertyName: tag = '' } = discriminator ?? {};
  const asWhole = (variant: JsonSchema): JsonSchema => ({
    ...variant,
    type: 'object',
    required: [...new Set([tag, ...required, ...(variant.required ?? [])])],
    properties: {
      ...properties,
      ...variant.properties,
      [tag]: compact({ description: properties[tag]?.description, ...variant.properties?.[tag] }),
    },
  });
  const areWhole = oneOf.every(isModel);
  return { ...rest, discriminator: { propertyName: tag }, oneOf: areWhole ? oneOf : oneOf.map(asWhole) };
}

/**
 * Expresses "one of two properties" as a condition. Generators skip conditions, but turn a `oneOf` inside an object
 * into types with only that one property.
 */
function withConditions(schema: JsonSchema): JsonSchema {
  const { oneOf = [], ...rest } = schema;
  const isBare = (each: JsonSchema): boolean => Object.keys(each).join() === 'required';
  if (schema.properties === undefined || oneOf.length !== 2 || !oneOf.every(isBare)) return schema;
  const [one, other] = oneOf;
  return { ...rest, if: one, then: { not: other }, else: other } as JsonSchema;
}

function withTypedConst(schema: JsonSchema): JsonSchema {
  return schema.const === undefined ? schema : { type: typeof schema.const, ...schema };
}
