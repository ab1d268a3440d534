import { ServiceError } from '../../core/errors.js';
import { ConfigError } from '../../runtime/settings/config.js';
import { StartError } from '../../runtime/embedded/start-error.js';

/** The text of an error for the user: its message if the user can fix it, otherwise the stack, since it is a bug. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError || error instanceof ServiceError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
