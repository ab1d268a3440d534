import type { Call } from './call-tree.js';
import type { Place } from './places.js';

/** What a package or a file of ours costs, as shares of all time in which something was done. */
export interface Cost {
  readonly group: string;
  readonly kind: Place['kind'];
  /** In its own functions. */
  readonly self: number;
  /** While one of its functions was at work or waited for one that it had called. */
  readonly total: number;
}

/** The costs of all groups. */
export function costsOf(roots: readonly Call[]): Cost[] {
  const all = roots.reduce((sum, { total }) => sum + total, 0);
  const costs = new Map<string, { group: string; kind: Place['kind']; self: number; total: number }>();
  const visit = (call: Call, above: ReadonlySet<string>): void => {
    const { group, kind } = call.place;
    let cost = costs.get(group);
    if (cost === undefined) costs.set(group, (cost = { group, kind, self: 0, total: 0 }));
    cost.self += call.self / all;
    if (!above.has(group)) cost.total += call.total / all;
    const groups = new Set(above).add(group);
    for (const each of call.calls.values()) visit(each, groups);
  };
  for (const root of roots) for (const call of root.calls.values()) visit(call, new Set());
  return [...costs.values()];
}

/** The largest by one of the shares. */
export function largest(costs: readonly Cost[], by: 'self' | 'total', count = 10): Cost[] {
  return [...costs].sort((a, b) => b[by] - a[by]).slice(0, count);
}
