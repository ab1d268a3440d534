/** Pixels. Firefox cuts elements of more than about 17.9 million, which would hide the end of a list. */
const tallest = 15_000_000;

/** Returns the height to assume of each row of a virtual list until it is rendered and measured. */
export const rowEstimate = (height: number, count: number): number =>
  Math.max(1, Math.min(height, Math.floor(tallest / count)));
