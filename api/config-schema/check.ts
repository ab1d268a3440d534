import { ajvFor } from '@knowledge-warehouse/plugin/host';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { messageOf, type ValidationFinding } from '../../core/errors.js';

/** The messages of the thread: first whether the schema is valid, then where the config does not match it. */
export type SchemaMessage =
  | { readonly schemaError: string }
  | { readonly compiled: true }
  | { readonly warnings: readonly ValidationFinding[] };

const mostWarnings = 50;
/** Defaults count, because the plugin's host fills them in before it checks the config. */
const options = {
  strict: false,
  allErrors: true,
  logger: false,
  validateFormats: true,
  useDefaults: true,
} as const;

/**
 * Checks a config against a plugin's schema: draft 2020-12 unless it names 2019-09, 07 or 06. Fetches nothing: a
 * reference to another document makes the schema invalid. May take any time and memory, so it runs in a thread.
 */
export function* checkConfig(schemaText: string, configText: string): Generator<SchemaMessage> {
  let validate: ValidateFunction;
  try {
    const schema: unknown = JSON.parse(schemaText);
    const ajv = ajvFor(schema, options);
    addFormats.default(ajv);
    validate = ajv.compile(schema as object);
  } catch (error) {
    yield { schemaError: clip(messageOf(error), 500) };
    return;
  }
  yield { compiled: true };
  try {
    validate(JSON.parse(configText));
    yield { warnings: (validate.errors ?? []).slice(0, mostWarnings).map(toWarning) };
  } catch (error) {
    yield { warnings: [{ path: '', message: `cannot be checked: ${clip(messageOf(error), 500)}` }] };
  }
}

function toWarning(error: ErrorObject): ValidationFinding {
  const { additionalProperty } = error.params as { readonly additionalProperty?: unknown };
  const about = typeof additionalProperty === 'string' ? `: ${additionalProperty}` : '';
  return { path: error.instancePath, message: clip(`${error.message ?? 'is not valid'}${about}`, 500) };
}
