export type Vector = readonly number[] | Float32Array;

export interface Measures {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** The Euclidean norm. */
  readonly length: number;
}

/** All measures of an empty vector are 0. */
export function measure(vector: Vector): Measures {
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  let squares = 0;
  for (const value of vector) {
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    squares += value * value;
  }
  if (vector.length === 0) return { min: 0, max: 0, mean: 0, length: 0 };
  return { min, max, mean: sum / vector.length, length: Math.sqrt(squares) };
}

/** Reduces a vector to at most `count` columns, each with the minimum and maximum of its values. */
export function toColumns(
  vector: Vector,
  count: number,
): readonly { readonly low: number; readonly high: number }[] {
  const columns = Math.min(count, vector.length);
  return Array.from({ length: columns }, (_column, index) => {
    const from = Math.floor((index * vector.length) / columns);
    const { min, max } = measure(vector.slice(from, Math.floor(((index + 1) * vector.length) / columns)));
    return { low: Math.min(min, 0), high: Math.max(max, 0) };
  });
}
