import { ServiceError } from '../../core/errors.js';
import { ConfigError } from '../../runtime/settings/config.js';
import { StartError } from '../../runtime/embedded/start-error.js';

/**
 * What a person is told of an error: its message where it is of a kind that a person can put right, else the stack,
 * since it is a fault of ours.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError || error instanceof ServiceError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
