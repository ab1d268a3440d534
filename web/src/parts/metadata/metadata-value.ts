export const metadataKey = /^[A-Za-z0-9_.-]{1,64}$/;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Returns the number, boolean or null that a text is, by the rule of the API's filters; undefined for other texts. */
export function scalarIn(text: string): number | boolean | null | undefined {
  const number = jsonNumber.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : literals.get(text);
}
