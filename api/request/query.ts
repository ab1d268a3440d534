import { validationFailed } from '../../core/errors.js';
import { findingsOf } from '../../runtime/content/json-schema.js';

interface ParameterSchema {
  readonly type?: string;
}

interface QuerySchema {
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
}

const nothing = { type: 'object', properties: {}, additionalProperties: false } as const;

/**
 * The query of a URL as its schema types it, checked. Texts become numbers, booleans and (at commas) arrays where the
 * schema says so. Throws VALIDATION_FAILED, also for parameters that the schema does not know or that stand twice.
 */
export function readQuery(schema: object | undefined, queryString: string): unknown {
  const { properties: parameters = {} } = (schema ?? {}) as QuerySchema;
  const given = [...new URLSearchParams(queryString)];
  const names = given.map(([name]) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw validationFailed({ path: `/${twice}`, message: 'stands more than once' });
  const query = Object.fromEntries(
    given.map(([name, value]) => [
      name,
      Object.hasOwn(parameters, name) ? convert(parameters[name], value) : value,
    ]),
  );
  const findings = findingsOf(schema ?? nothing, query);
  if (findings.length > 0) throw validationFailed(...findings);
  return query;
}

function convert(schema: ParameterSchema | undefined, value: string): unknown {
  if (schema?.type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (schema?.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (schema?.type === 'array') return value === '' ? [] : value.split(',');
  return value;
}
