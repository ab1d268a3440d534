import type { JsonObject } from '../../../api/client.js';

/** A member of the config that the form has a control for. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly kind: 'text' | 'secret' | 'number' | 'integer' | 'boolean' | 'choice' | 'list' | 'group' | 'json';
  readonly isRequired: boolean;
  /** What counts when it is left out, as it is shown. */
  readonly usual: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly choices?: readonly string[];
  readonly fields?: readonly Field[];
}

/** The fields of a JSON Schema of an object, as far as it says any. What a form cannot hold is edited as JSON. */
export function formFields(schema: unknown): readonly Field[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(schema['properties']).map(([name, property]) =>
    toField(name, isObject(property) ? property : {}, required.includes(name)),
  );
}

function toField(name: string, schema: JsonObject, isRequired: boolean): Field {
  const text = (key: string): string | undefined =>
    typeof schema[key] === 'string' ? schema[key] : undefined;
  const number = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? schema[key] : undefined;
  const common = {
    name,
    label: text('title') ?? name,
    description: text('description'),
    isRequired,
    usual: schema['default'] === undefined ? undefined : showDefault(schema['default']),
  };
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) {
    return { ...common, kind: 'choice', choices };
  }
  switch (schema['type']) {
    case 'string':
      return { ...common, kind: schema['writeOnly'] === true ? 'secret' : 'text' };
    case 'number':
    case 'integer':
      return {
        ...common,
        kind: schema['type'],
        min: number('minimum') ?? number('exclusiveMinimum'),
        max: number('maximum') ?? number('exclusiveMaximum'),
      };
    case 'boolean':
      return { ...common, kind: 'boolean' };
    case 'array':
      return isObject(schema['items']) && schema['items']['type'] === 'string'
        ? { ...common, kind: 'list' }
        : { ...common, kind: 'json' };
    case 'object': {
      const fields = formFields(schema);
      return fields.length > 0 ? { ...common, kind: 'group', fields } : { ...common, kind: 'json' };
    }
    default:
      return { ...common, kind: 'json' };
  }
}

const showDefault = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member set, or taken out where it is undefined: the service then has the plugin's default. */
export function setMember(config: JsonObject, name: string, value: unknown): JsonObject {
  const others = Object.entries(config).filter(([key]) => key !== name);
  if (value === undefined) return Object.fromEntries(others);
  const place = Object.keys(config).indexOf(name);
  return Object.fromEntries(others.toSpliced(place === -1 ? others.length : place, 0, [name, value]));
}

/** The object that a text holds, or why it holds none. */
export function readConfig(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'A config is a JSON object: { … }.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const writeConfig = (config: JsonObject): string => JSON.stringify(config, null, 2);
