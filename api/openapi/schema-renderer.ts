import { responseComponents, enumComponents, requestComponents } from './components.js';
import { forGenerators } from './for-generators.js';
import { isFreeForm, isMap, isModel, isTaggedUnion, isUnion, type JsonSchema } from './json-schema.js';
import { mapValues } from './map-values.js';
import { asTrimmed } from './trimmed.js';

/** Whether a schema belongs to a response or a request. */
export type Side = 'response' | 'request';

/** Where a schema occurs. A schema without a name is named after its place. */
interface Place {
  readonly side: Side;
  readonly name: string;
}

/** Renders the schemas of one document. Objects, choices and shared enums become references to components. */
export interface SchemaRenderer {
  /** `name` is the component's name if the schema has none. */
  render(schema: object, side: Side, name: string): unknown;
  /** Returns all referenced components by name. */
  components(): Record<string, unknown>;
}

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

/**
 * Creates a renderer. A schema's name comes from `components.ts`, its `title`, or else the place where it first occurs:
 * `ResourceError` for the property `error` of `Resource`. Our own keywords (x-…) are removed. Response objects allow
 * additional properties, so that a new field breaks no client.
 */
export function createSchemaRenderer(): SchemaRenderer {
  const names = new Map<object, string>();
  const components = new Map<string, unknown>();

  function named(schema: JsonSchema, { side, name }: Place): string {
    const known = names.get(schema);
    if (known !== undefined) return known;
    const own = schema.title === undefined ? pascal(name) : pascal(schema.title);
    return define(own, schema, side);
  }

  function define(name: string, schema: JsonSchema, side: Side): string {
    names.set(schema, name);
    const rendered = renderKeywords(forGenerators(schema), { side, name });
    const other = components.get(name);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(rendered)) {
      throw new Error(
        `Two different schemas are named ${name} in the OpenAPI document. Give one of them a \`title\` of its own, or a name in api/openapi/components.ts.`,
      );
    }
    components.set(name, rendered);
    return name;
  }

  function render(schema: unknown, place: Place): unknown {
    if (typeof schema !== 'object' || schema === null) return schema;
    const { enum: values, type, ...rest } = schema as JsonSchema;
    const enumName = values === undefined ? undefined : enumNames.get(values);
    if (enumName !== undefined) {
      components.set(enumName, { type, enum: values });
      return { ...refTo(enumName), ...(renderKeywords(rest, place) as object) };
    }
    if (isFreeForm(schema)) {
      components.set(freeForm.name, freeForm.schema);
      return { ...refTo(freeForm.name), ...(renderKeywords(rest, place) as object) };
    }
    const isNamed =
      names.has(schema) || isModel(schema) || isMap(schema) || isTaggedUnion(schema) || isUnion(schema);
    return isNamed ? refTo(named(schema, place)) : renderKeywords(forGenerators(schema), place);
  }

  function renderKeywords(schema: JsonSchema, place: Place): unknown {
    const shown = 'x-trim' in schema ? asTrimmed(schema) : schema;
    const isWhole = isModel(schema) || isMap(schema) || isUnion(schema);
    const kept = Object.entries(shown).filter(
      ([key, value]) =>
        !key.startsWith('x-') &&
        !(key === 'title' && isWhole) &&
        !(place.side === 'response' && key === 'additionalProperties' && value === false),
    );
    const rendered = kept.map(([key, value]) => [key, renderKeyword(key, value, place)] as const);
    return withMapping(Object.fromEntries(rendered), schema);
  }

  function renderKeyword(key: string, value: unknown, { side, name }: Place): unknown {
    if (key === 'properties')
      return mapValues(value as Record<string, unknown>, (property, of) =>
        render(property, { side, name: `${name}${pascal(of)}` }),
      );
    if (key === 'contentSchema') return render(value, { side, name });
    if (key === 'additionalProperties') return render(value, { side, name: `${name}Value` });
    if (key === 'items') return render(value, { side, name: `${name}Item` });
    if (key === 'oneOf' || key === 'anyOf') return renderVariants(value as JsonSchema[], { side, name });
    return value;
  }

  function renderVariants(variants: readonly JsonSchema[], { side, name }: Place): unknown[] {
    const objects = variants.filter(isModel).length;
    return variants.map((variant, index) =>
      render(variant, { side, name: objects > 1 ? `${name}Variant${index + 1}` : name }),
    );
  }

  /** Maps each value of the tag to its variant. */
  function withMapping(rendered: Record<string, unknown>, { discriminator, oneOf = [] }: JsonSchema): object {
    if (discriminator === undefined) return rendered;
    const tag = discriminator.propertyName;
    const mapping = oneOf.flatMap((variant) => {
      const { const: value, enum: values = [value] } = variant.properties?.[tag] ?? {};
      return values.map((each) => [each, refTo(names.get(variant) ?? '').$ref]);
    });
    return {
      ...rendered,
      discriminator: { propertyName: tag, mapping: Object.fromEntries(mapping) as object },
    };
  }

  const enumNames = new Map<unknown, string>(
    Object.entries(enumComponents).map(([name, values]) => [values, name]),
  );
  const registered = [
    ...Object.entries(responseComponents).map(([name, schema]) => [name, schema, 'response'] as const),
    ...Object.entries(requestComponents).map(([name, schema]) => [name, schema, 'request'] as const),
  ];
  for (const [name, schema] of registered) names.set(schema, name);
  for (const [name, schema, side] of registered) define(name, schema, side);

  return {
    render: (schema, side, name) => render(schema, { side, name }),
    components: () => Object.fromEntries(components),
  };
}

/** Any JSON object. */
const freeForm = { name: 'JsonObject', schema: { type: 'object', additionalProperties: true } } as const;

const refTo = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
