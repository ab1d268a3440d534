import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Creates a validator of the draft that a config schema names: 2019-09, 07 or 06, and otherwise 2020-12. */
export function ajvFor(schema: unknown, options: Options): Ajv {
  const { $schema } = Object(schema) as { readonly $schema?: unknown };
  const dialect = typeof $schema === 'string' ? $schema : '';
  if (/draft-07/.test(dialect)) return new Ajv(options);
  if (/draft-06/.test(dialect)) return withDraft06(new Ajv(options));
  return /2019-09/.test(dialect) ? new Ajv2019(options) : new Ajv2020(options);
}

/** Adds the meta-schema of draft 06: that of draft 07, which only adds keywords. */
function withDraft06(ajv: Ajv): Ajv {
  const draft07 = ajv.getSchema('http://json-schema.org/draft-07/schema')?.schema as object | undefined;
  return ajv.addMetaSchema({ ...draft07, $id: 'http://json-schema.org/draft-06/schema' });
}
