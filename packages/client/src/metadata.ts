const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Returns the number, boolean or null that a text stands for, by the rule of the API's filters; undefined for other
 * texts, among them numbers that no double holds.
 */
export function scalarIn(text: string): number | boolean | null | undefined {
  const number = jsonNumber.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : literals.get(text);
}
