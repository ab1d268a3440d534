import { applySchema, isObject, type Applying } from '@knowledge-warehouse/plugin/protocol';
import type { JsonObject } from '../../../api/client.js';

/** The secrets of a config by the mark that the page shows instead. */
export type Secrets = ReadonlyMap<string, unknown>;

/** A config with marks in place of its secrets. */
export interface MaskedConfig {
  readonly config: JsonObject;
  readonly secrets: Secrets;
}

/**
 * Replaces each value that the schema marks `writeOnly` with a mark. A mark contains its original path, so that a
 * secret stays with its object when the items around it change.
 */
export function maskSecrets(schema: unknown, config: JsonObject): MaskedConfig {
  const text = JSON.stringify(config);
  const secrets = new Map<string, unknown>();
  const hide = (value: unknown, path: string): string => {
    let mark = `(kept: ${path})`;
    while (secrets.has(mark) || text.includes(JSON.stringify(mark).slice(1, -1))) mark += '*';
    secrets.set(mark, value);
    return mark;
  };
  const mask = (value: unknown, place: Applying, path: string): unknown => {
    if (place === null) return hide(value, path);
    if (Array.isArray(value)) return value.map((item, at) => mask(item, place.item(at), `${path}/${at}`));
    if (!isObject(value)) return value;
    return maskMembers(value, (key) => place.property(key), path);
  };
  const maskMembers = (value: JsonObject, of: (key: string) => Applying, path: string): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, mask(member, of(key), `${path}/${key}`)]),
    );
  const top = applySchema(schema);
  return { config: maskMembers(config, (key) => top?.property(key) ?? null, ''), secrets };
}

/** Returns a config to send, with marks replaced by their secrets. */
export function restoreSecrets(config: JsonObject, secrets: Secrets): JsonObject {
  const restore = (value: unknown): unknown => {
    if (typeof value === 'string') return secrets.has(value) ? secrets.get(value) : value;
    if (Array.isArray(value)) return value.map(restore);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restore(member)]));
  };
  return restore(config) as JsonObject;
}

/**
 * Returns the secrets of an edited config as they are stored now. Items have no names, so those of a list are taken only
 * if the list is otherwise the same.
 */
export function renewSecrets(edited: MaskedConfig, stored: MaskedConfig): Secrets {
  const renewed = new Map(edited.secrets);
  const renew = (mark: unknown, now: unknown): void => {
    if (typeof mark === 'string' && typeof now === 'string') {
      if (edited.secrets.has(mark) && stored.secrets.has(now)) renewed.set(mark, stored.secrets.get(now));
    } else if (Array.isArray(mark) && Array.isArray(now)) {
      if (JSON.stringify(mark) === JSON.stringify(now))
        for (const [at, item] of mark.entries()) renew(item, now[at]);
    } else if (isObject(mark) && isObject(now)) {
      for (const [key, member] of Object.entries(mark)) if (Object.hasOwn(now, key)) renew(member, now[key]);
    }
  };
  renew(edited.config, stored.config);
  return renewed;
}

/** Returns a function that tells whether the schema hides the value at a path. */
export function secretPlaces(schema: unknown): (path: readonly (string | number)[]) => boolean {
  const top = applySchema(schema);
  return (path) =>
    path.reduce<Applying>(
      (place, key) =>
        place === null ? null : typeof key === 'number' ? place.item(key) : place.property(key),
      top,
    ) === null;
}
