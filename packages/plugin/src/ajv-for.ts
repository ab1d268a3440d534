import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Creates a validator of the draft that a config schema names: 2019-09, 07 or 06, and otherwise 2020-12. */
export function ajvFor(schema: unknown, options: Options): Ajv {
  const { $schema } = Object(schema) as { readonly $schema?: unknown };
  const dialect = typeof $schema === 'string' ? $schema : '';
  if (/draft-0[67]/.test(dialect)) return new Ajv(options);
  return /2019-09/.test(dialect) ? new Ajv2019(options) : new Ajv2020(options);
}
