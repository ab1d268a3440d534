import type { JsonObject } from '../../../api/client.js';
import { isObject } from '@knowledge-warehouse/plugin/protocol';

/** The keyword in a form's schema that requests one of our own fields. */
export const fieldKeyword = 'x-kw-field';

/** The maximum number of schemas to process, counting each reference. */
const mostSchemas = 500;
const mostChoices = 1_000;
const deepest = 10;

/** A schema with only keywords that forms can show. */
export interface FormNode {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly [string, 'null'];
  readonly enum?: readonly Choice[];
  readonly properties?: Readonly<Record<string, FormNode>>;
  readonly required?: readonly string[];
  readonly items?: FormNode;
  readonly anyOf?: readonly FormNode[];
  readonly [keyword: string]: unknown;
}

export type FormSchema =
  | { readonly schema: FormNode; readonly why?: undefined }
  /** Why the config has no form. */
  | { readonly schema?: undefined; readonly why: string };

/**
 * Returns a form's schema for a config. It takes from the plugin's schema, which may contain anything, what forms can
 * show. It inlines references, so that neither the form nor its validator meets a cycle, an endless pattern or a
 * keyword of the wrong type. A place that no form can show becomes a JSON field. The service checks the rest.
 */
export function toFormSchema(schema: unknown): FormSchema {
  if (schema === null) return { why: 'This plugin declares no config schema.' };
  try {
    const { title: _title, ...form } = new Converter(schema).convert(schema, { depth: 0, seen: ['#'] });
    if (form[fieldKeyword] === undefined && form.type === 'object') return { schema: form };
    return { why: 'The config schema has no fields that a form can show.' };
  } catch (error) {
    if (error instanceof TooLarge) return { why: 'The config schema is too large for a form.' };
    throw error;
  }
}

class TooLarge extends Error {}

interface Position {
  readonly depth: number;
  /** The chain of references to this schema. */
  readonly seen: readonly string[];
}

interface Followed extends Pick<Position, 'seen'> {
  readonly schema: JsonObject;
}

class Converter {
  readonly #root: unknown;
  #schemas = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  convert(given: unknown, position: Position): FormNode {
    const followed = this.#follow(given, position.seen);
    if (followed === null) return asJson(isObject(given) ? given : {});
    const { schema, seen } = followed;
    const next = { depth: position.depth + 1, seen };
    const base = labels(schema);
    if (next.depth > deepest) return asJson(schema);
    const options = optionsOf(schema);
    if (options !== null) return this.#convertOptions(schema, options, next);
    const choices = choicesOf(schema);
    const type = typeOf(schema, choices);
    if (choices !== null && type !== undefined && choices.length <= mostChoices) {
      return { ...base, type, enum: choices };
    }
    switch (type) {
      case 'string':
        return { ...base, type, ...numbers(schema, ['minLength', 'maxLength']) };
      case 'number':
      case 'integer':
        return { ...base, type, ...numbers(schema, numberBounds) };
      case 'boolean':
        return { ...base, type };
      case 'array':
        return this.#convertArray(schema, next);
      case 'object':
        return this.#convertObject(schema, next);
      default:
        return asJson(schema);
    }
  }

  /** Returns a schema without references and `allOf`; null if a form cannot support them. */
  #follow(given: unknown, seen: Position['seen']): Followed | null {
    if (++this.#schemas > mostSchemas) throw new TooLarge();
    if (!isObject(given) || '$dynamicRef' in given || '$recursiveRef' in given) return null;
    const { $ref, allOf, ...schema } = given;
    const parts: Followed[] = [{ schema, seen }];
    const others: unknown[] = Array.isArray(allOf) ? allOf : [];
    if (typeof $ref === 'string') {
      if (seen.includes($ref)) return null;
      const target = this.#follow(targetOf(this.#root, $ref), [...seen, $ref]);
      if (target === null) return null;
      parts.push(target);
    }
    for (const other of others) {
      const part = this.#follow(other, seen);
      if (part === null) return null;
      parts.push(part);
    }
    return parts.reduce((all, part) => ({
      schema: merge(all.schema, part.schema),
      seen: [...new Set([...all.seen, ...part.seen])],
    }));
  }

  #convertOptions(schema: JsonObject, options: readonly unknown[], position: Position): FormNode {
    const others = options.filter((option) => !(isObject(option) && option['type'] === 'null'));
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
    // "This or null", as many generators express optional values.
    if (others.length === 1 && isObject(others[0]) && others.length < options.length) {
      const nullable = this.convert(merge(rest, others[0]), position);
      return nullable[fieldKeyword] === undefined && typeof nullable.type === 'string' && !nullable.enum
        ? { ...nullable, type: [nullable.type, 'null'] }
        : asJson(schema);
    }
    const { default: _default, description: _description, title: _title, ...shared } = rest;
    const converted = options.map((option) =>
      isObject(option) ? this.convert(merge(option, shared), position) : asJson({}),
    );
    if (converted.some((option) => option[fieldKeyword] !== undefined)) return asJson(schema);
    return { ...labels(schema), anyOf: converted };
  }

  #convertArray(schema: JsonObject, position: Position): FormNode {
    const { items } = schema;
    if (!isObject(items) || 'prefixItems' in schema) return asJson(schema);
    const converted = this.convert(items, position);
    if (converted[fieldKeyword] !== undefined) return asJson(schema);
    return {
      ...labels(schema),
      type: 'array',
      items: converted,
      ...numbers(schema, ['minItems', 'maxItems']),
      ...(schema['uniqueItems'] === true && { uniqueItems: true }),
      ...(converted.type === 'string' && !converted.enum && { [fieldKeyword]: 'lines' }),
    };
  }

  #convertObject(schema: JsonObject, position: Position): FormNode {
    const { properties, required } = schema;
    if (!isObject(properties) || Object.keys(properties).length === 0) return asJson(schema);
    if (Object.hasOwn(properties, '__proto__')) return asJson(schema);
    const names = Object.keys(properties);
    return {
      ...labels(schema),
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, this.convert(properties[name], position)])),
      ...(Array.isArray(required) && { required: names.filter((name) => required.includes(name)) }),
    };
  }
}

const numberBounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

const asJson = (schema: JsonObject): FormNode => ({ ...labels(schema), [fieldKeyword]: 'json' });

function labels(schema: JsonObject): FormNode {
  const { title, description } = schema;
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(schema['default'] !== undefined && { default: schema['default'] }),
  };
}

function numbers(schema: JsonObject, names: readonly string[]): FormNode {
  return Object.fromEntries(
    names.map((name) => [name, schema[name]] as const).filter(([, value]) => Number.isFinite(value)),
  );
}

/** Merges two schemas. The first one's texts win; for a property in both, both schemas apply. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const required = [one['required'], other['required']].filter((list) => Array.isArray(list)).flat();
  return {
    ...other,
    ...one,
    ...(required.length > 0 && { required }),
    ...(isObject(one['properties']) &&
      isObject(other['properties']) && {
        properties: mergeProperties(one['properties'], other['properties']),
      }),
  };
}

function mergeProperties(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const merged = both.map((name) => [name, { allOf: [one[name], other[name]] }] as const);
  return { ...one, ...other, ...Object.fromEntries(merged) };
}

/** Returns the target of `#/…` in a schema; undefined if there is none or it is in another document. */
function targetOf(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let target = root;
  for (const part of reference.split('/').slice(1)) {
    const key = unescapePointer(part);
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function unescapePointer(part: string): string {
  const escaped = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/** Returns the alternatives of a schema if they are more than single values. */
function optionsOf(schema: JsonObject): readonly unknown[] | null {
  const options = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(options) && options.length > 0 && choicesOf(schema) === null ? options : null;
}

type Choice = string | number | boolean;

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Returns the single values that a schema allows. */
function choicesOf(schema: JsonObject): Choice[] | null {
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  const values: unknown =
    schema['const'] !== undefined
      ? [schema['const']]
      : Array.isArray(alternatives)
        ? alternatives.map((option: unknown) => (isObject(option) ? option['const'] : undefined))
        : schema['enum'];
  return Array.isArray(values) && values.length > 0 && values.every(isChoice) ? [...new Set(values)] : null;
}

/** Returns the only type that a schema accepts. */
function typeOf(schema: JsonObject, choices: readonly Choice[] | null): string | undefined {
  if (choices !== null) {
    const types = new Set(choices.map((choice) => typeof choice));
    return types.size === 1 ? [...types][0] : undefined;
  }
  const { type } = schema;
  const named: unknown[] = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  if (named.length === 1 && typeof named[0] === 'string') return named[0];
  if (type !== undefined) return undefined;
  return isObject(schema['properties']) ? 'object' : undefined;
}
