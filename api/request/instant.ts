import { validationFailed } from '../../core/errors.js';

/** The time that a text of the format date-time names. Throws VALIDATION_FAILED for a leap second, which has none. */
export function readInstant(path: string, text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()))
    throw validationFailed({ path, message: 'must be a time such as 2025-11-20T09:30:00Z' });
  return instant;
}
