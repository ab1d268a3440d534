import { Argument, InvalidArgumentError } from 'commander';

/** Parses an option as a whole number. Throws commander's InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** Parses an option as a whole number of 1 or more. */
export function positiveInteger(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}

/** Returns a parser of options that are whole numbers from 1 to `most`. */
export const positiveIntegerTo =
  (most: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };

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

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Parses an option as an instant; a date is its beginning in UTC. Throws commander's InvalidArgumentError. */
export function readInstant(text: string): string {
  const full = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (instant.test(full) && !Number.isNaN(Date.parse(full))) return full;
  throw new InvalidArgumentError(
    'It must be a time with a time zone, such as 2025-11-20T09:30:00Z, or a date.',
  );
}

/** An argument for ids. In the path of a URL, an empty text, "." and ".." would lead elsewhere. */
export function idArgument(name: string): Argument {
  const argument = new Argument(name);
  return argument.argParser<string | string[]>((text, before: string | string[] | undefined) => {
    if (/^\.{0,2}$/.test(text)) throw new InvalidArgumentError('It must be an id.');
    return argument.variadic ? [before ?? [], text].flat() : text;
  });
}
