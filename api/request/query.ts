import { validationFailed } from '../../core/errors.js';
import { groupBy } from '../../core/group-by.js';
import { findingsOf } from '../../runtime/content/json-schema.js';

interface ParameterSchema {
  readonly type?: string;
  readonly items?: ParameterSchema;
  readonly 'x-repeated'?: true;
  readonly 'x-prefix'?: string;
}

interface QuerySchema {
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
}

const nothing = { type: 'object', properties: {}, additionalProperties: false } as const;

/**
 * Parses and checks the query of a URL by its schema. Texts become numbers and booleans. An array is split at commas,
 * and may be repeated. An `x-repeated` parameter becomes an array of all its values, and parameters with the same
 * `x-prefix` become one object by name. Throws VALIDATION_FAILED, also for unknown parameters, for others that are
 * repeated, and for a prefix without a name.
 */
export function readQuery(schema: object | undefined, queryString: string): unknown {
  const { properties: parameters = {} } = (schema ?? {}) as QuerySchema;
  const query = new Map<string, unknown>();
  const prefixed = new Map<string, [string, unknown][]>();
  for (const [name, pairs] of groupBy(new URLSearchParams(queryString), ([each]) => each)) {
    const values = pairs.map(([, value]) => value);
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const group = Object.entries(parameters).find(([, each]) => startsWithPrefix(name, each));
    if (group !== undefined) {
      const members = prefixed.get(group[0]) ?? [];
      prefixed.set(group[0], [...members, [name, values.length === 1 ? values[0] : values]]);
    } else if (parameter?.['x-prefix'] !== undefined) {
      throw validationFailed({
        path: `/${name}`,
        message: `must name a key: ${parameter['x-prefix']}KEY=VALUE`,
      });
    } else if (parameter?.['x-repeated'] === true) {
      query.set(
        name,
        values.map((value) => convert(parameter.items, value)),
      );
    } else if (parameter?.type === 'array') {
      query.set(name, values.flatMap(split));
    } else if (values.length > 1) {
      throw validationFailed({ path: `/${name}`, message: 'is given more than once' });
    } else query.set(name, convert(parameter, values[0] ?? ''));
  }
  for (const [name, members] of prefixed) query.set(name, Object.fromEntries(members));
  const value = Object.fromEntries(query);
  const findings = findingsOf(schema ?? nothing, value);
  if (findings.length > 0)
    throw validationFailed(
      ...findings.map((finding) => ({ ...finding, path: placeIn(parameters, finding.path) })),
    );
  return value;
}

/** Returns the parameter that a finding is about, as written in the URL instead of the parsed object or array. */
function placeIn(parameters: Readonly<Record<string, ParameterSchema>>, path: string): string {
  const [, name = '', inner] = path.split('/');
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter?.['x-repeated'] === true) return `/${name}`;
  return parameter?.['x-prefix'] !== undefined && inner !== undefined ? `/${inner}` : path;
}

function startsWithPrefix(name: string, { 'x-prefix': prefix }: ParameterSchema): boolean {
  return prefix !== undefined && name.startsWith(prefix);
}

function convert(schema: ParameterSchema | undefined, value: string): unknown {
  if (schema?.type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (schema?.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

const split = (value: string): string[] => (value === '' ? [] : value.split(','));
