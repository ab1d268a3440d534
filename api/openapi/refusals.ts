import { STATUS_CODES } from 'node:http';
import { refusalCode, refusals } from '../server/refusals.js';
import { errorSchema } from '../schemas/common.js';
import type { SchemaRenderer } from './schema-renderer.js';

/** Every operation has its own 400 response, which lists this code among others. */
const shared = Object.entries(refusals).filter(([status]) => status !== '400');

/** Returns a component name: RequestTimeout for 408. */
const nameOf = (status: string): string => (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '');

/** References to the responses that any operation may send before its handler runs, by status. */
export const refusalReferences: Readonly<Record<string, object>> = Object.fromEntries(
  shared.map(([status]) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
);

/** Renders the referenced components. */
export function renderRefusals(schemas: SchemaRenderer): Record<string, object> {
  const schema = schemas.render(errorSchema, 'response', 'Error');
  return Object.fromEntries(
    shared.map(([status, message]) => {
      const example = { value: { error: { code: refusalCode, message, details: {} } } };
      const content = { 'application/json': { schema, examples: { [refusalCode]: example } } };
      return [nameOf(status), { description: `${refusalCode}: ${message}`, content }];
    }),
  );
}
