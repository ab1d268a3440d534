import { STATUS_CODES } from 'node:http';
import { refusalCode, refusals } from '../server/refusals.js';
import { errorSchema } from '../schemas/common.js';
import type { SchemaRenderer } from './schema-renderer.js';

/** Every operation has a 400 of its own, which names this code beside others. */
const shared = Object.entries(refusals).filter(([status]) => status !== '400');

/** RequestTimeout for 408. */
const nameOf = (status: string): string => (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '');

/** The answers that any operation may get before it is looked at, by status, as references. */
export const refusalReferences: Readonly<Record<string, object>> = Object.fromEntries(
  shared.map(([status]) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
);

/** What these references point to. */
export function renderRefusals(schemas: SchemaRenderer): Record<string, object> {
  const schema = schemas.render(errorSchema, 'answer', 'Error');
  return Object.fromEntries(
    shared.map(([status, message]) => {
      const example = { value: { error: { code: refusalCode, message, details: {} } } };
      const content = { 'application/json': { schema, examples: { [refusalCode]: example } } };
      return [nameOf(status), { description: `${refusalCode}: ${message}`, content }];
    }),
  );
}
