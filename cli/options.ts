import { InvalidArgumentError } from 'commander';

/** Parses an option as a whole number. Throws commander's InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** Parses an option as a whole number of 1 or more. */
export function positiveInteger(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be 1 or more.');
  return value;
}

/** Returns a parser of options that are numbers above 0, at most `most`. */
export const positiveNumber =
  (most: number) =>
  (text: string): number => {
    const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
    if (value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number above 0, at most ${most}.`);
  };

/** Adds the value of an option that can be repeated to the previous ones. */
export const append = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Parses the index of a step, or "failed" for the failed step. */
export function stepOrFailed(text: string): number | 'failed' {
  if (text === 'failed') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the index of a step, from 0, or "failed".');
}
