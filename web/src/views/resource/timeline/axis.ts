/** Distances between axis marks in milliseconds. */
const distances = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((days) => days * 86_400_000),
];

/** Returns about three round numbers of milliseconds below a length. */
export function marksOf(length: number): readonly number[] {
  const distance = distances.find((each) => length / each <= 4) ?? length;
  const marks: number[] = [];
  // A mark at the very end would have no room for its label.
  for (let mark = distance; mark < length * 0.94; mark += distance) marks.push(mark);
  return marks;
}
