import { ServiceError, validationFailed } from '../../core/errors.js';
import { findInfinite } from '../../core/json/json-bounds.js';
import { findingsOf } from '../../runtime/content/json-schema.js';
import { bodyForms, type BodyFormName } from './body-forms.js';
import { parseJson } from './parse-json.js';

/** A route's settings for its JSON body. */
export interface BodySpec {
  readonly operationId: string;
  readonly schema: object;
  readonly form: BodyFormName;
  /** A missing body is read as `{}`. */
  readonly optional: boolean;
}

/** A checked body, or the error for it. */
export type ReadBody = { readonly body: unknown } | { readonly refusal: ServiceError };

const schemas = new Map<string, object>();

/**
 * Reads and checks the JSON body of a request; null: there is none. Throws errors that take precedence over all other
 * checks of the request, and returns errors about its content.
 */
export function readBody(bytes: Uint8Array | null, spec: BodySpec): ReadBody {
  const given = bytes === null || bytes.length === 0 ? undefined : parseJson(bytes);
  const form = bodyForms[spec.form];
  form.precheck(given);
  const body = given === undefined && spec.optional ? {} : given;
  const refusal = refusalOf(spec, body);
  if (refusal !== null) return { refusal };
  const condensed = form.condense(body);
  return 'body' in condensed ? condensed : { refusal: validationFailed(...condensed.findings) };
}

/** Returns the error for a body that does not match the schema of its route. */
export function refusalOf(
  spec: Pick<BodySpec, 'operationId' | 'schema'>,
  body: unknown,
): ServiceError | null {
  if (body === undefined) return new ServiceError('MALFORMED_BODY', 'The body is empty; JSON is expected.');
  const infinite = findInfinite(body);
  const findings = infinite.length > 0 ? infinite : findingsOf(known(spec), body);
  return findings.length > 0 ? validationFailed(...findings) : null;
}

/**
 * Returns the same schema object for each operation, so that it is compiled once: messages to a thread carry copies.
 */
function known({ operationId, schema }: Pick<BodySpec, 'operationId' | 'schema'>): object {
  const first = schemas.get(operationId) ?? schema;
  schemas.set(operationId, first);
  return first;
}
