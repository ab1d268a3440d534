const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Parses a text as a number, a boolean or null, like the API's filters. Returns undefined for all other texts, also for
 * numbers that are too large for a double.
 */
export function scalarIn(text: string): number | boolean | null | undefined {
  const number = jsonNumber.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : literals.get(text);
}
