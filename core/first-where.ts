/**
 * Returns the first whole number from `start` on, below `end`, for which `holds` is true; `end` if there is none. A binary
 * search: `holds` must stay true after the first one.
 */
export function firstWhere(start: number, end: number, holds: (at: number) => boolean): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
