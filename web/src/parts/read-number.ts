const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Reads a number as people type it, such as "-5", ".5" or "1e5". Returns NaN for any other text. */
export function readNumber(text: string): number {
  const typed = text.trim();
  const number = decimal.test(typed) ? Number(typed) : NaN;
  return Number.isFinite(number) ? number : NaN;
}
