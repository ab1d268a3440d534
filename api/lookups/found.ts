import { ServiceError } from '../../core/errors.js';

/** Returns a value that was looked up, or throws NOT_FOUND if it is null. `noun` names its kind. */
export function found<T>(value: T | null, noun: string, id: string): T {
  if (value === null) throw new ServiceError('NOT_FOUND', `There is no ${noun} ${id}.`);
  return value;
}
