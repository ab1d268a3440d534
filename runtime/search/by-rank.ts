import type { Ranked } from './engine.js';

/** Sorts best first; ties have the same order in every process. */
export function byRank(one: Ranked, other: Ranked): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.resource_id !== other.resource_id) return one.resource_id < other.resource_id ? -1 : 1;
  return one.run - other.run || one.index - other.index;
}
