/** Vectors of one length and one model. */
export interface VectorKind {
  readonly dimensions: number;
  /** Empty if the model is unknown. */
  readonly model: string;
}

/** The smallest normal 32-bit float: squares below it lose their digits. */
const smallest = 2 ** -126;

/**
 * Whether a value is a vector that can be compared by cosine: numbers with a sum of squares that is a 32-bit float above
 * zero. LanceDB computes with these, and silently leaves out or misplaces other vectors.
 */
export function isComparable(value: unknown): value is readonly number[] {
  if (!Array.isArray(value)) return false;
  let squares = 0;
  for (const number of value as readonly unknown[]) {
    if (typeof number !== 'number') return false;
    squares += Math.fround(number) ** 2;
  }
  return squares >= smallest && Number.isFinite(Math.fround(squares));
}
