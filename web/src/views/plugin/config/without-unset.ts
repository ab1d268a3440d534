import { isObject } from '@knowledge-warehouse/plugin/protocol';
import type { FormNode } from './form-schema.js';

/**
 * Returns a form's value without unset parts: undefined members, and groups that become empty and were not empty
 * before. The service then uses the plugin's default. What the form shows as JSON stays as it was typed.
 *
 * @param schemas The form's schemas for the value: one, or those of all options that may be chosen
 */
export function withoutUnset(value: unknown, before: unknown, schemas: readonly FormNode[]): unknown {
  const shown = schemas.flatMap(optionsIn);
  const type = Array.isArray(value) ? 'array' : 'object';
  const isJson = shown.some((schema) => schema.type === undefined);
  if (isJson || !shown.some((schema) => [schema.type].flat().includes(type))) return value;
  if (Array.isArray(value)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    const items = shown.flatMap<FormNode>((schema) => schema.items ?? []);
    return value.map((item, at) => withoutUnset(item, old[at], items) ?? (isObject(item) ? {} : null));
  }
  if (!isObject(value)) return value;
  const old = isObject(before) ? before : {};
  const schemasOf = (key: string): readonly FormNode[] =>
    shown.flatMap<FormNode>(({ properties = {} }) =>
      Object.hasOwn(properties, key) ? (properties[key] ?? []) : [],
    );
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutUnset(member, old[key], schemasOf(key))] as const)
    .filter(([, member]) => member !== undefined);
  const wasEmpty = isObject(before) && Object.keys(before).length === 0;
  return members.length > 0 || wasEmpty ? Object.fromEntries(members) : undefined;
}

const optionsIn = (schema: FormNode): readonly FormNode[] => schema.anyOf?.flatMap(optionsIn) ?? [schema];
