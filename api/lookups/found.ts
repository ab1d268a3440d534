import { ServiceError } from '../../core/errors.js';

/** What was looked for; throws NOT_FOUND when it is not there. `noun` says what it is. */
export function found<T>(value: T | null, noun: string, id: string): T {
  if (value === null) throw new ServiceError('NOT_FOUND', `There is no ${noun} ${id}.`);
  return value;
}
