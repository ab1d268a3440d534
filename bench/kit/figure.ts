/** A measurement of a bench: our side and the comparison, measured in turns. */
export interface Figure {
  readonly what: string;
  /** The unit of the values, such as `steps/s`; the ratio has none. */
  readonly unit: string;
  /** One value per round; values of both sides at the same index belong together. */
  readonly ours: readonly number[];
  readonly beside: readonly number[];
  /** The minimum or maximum of the ratio ours / beside; null if there is no goal. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** A count or size with its own limit and no comparison. */
export interface Count {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

export const toCount = (what: string, unit: string, value: number, goal: Count['goal'] = null): Count => ({
  what,
  unit,
  value,
  goal,
});

/** The results of a bench. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly counts?: readonly Count[];
  /** Points of a curve for docs/performance.md. */
  readonly curve?: Curve;
}

/** Lines as points, by name; `x` and `y` are the labels of the axes, with units. */
export interface Curve {
  readonly x: string;
  readonly y: string;
  readonly lines: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

/** The results of a bench as stored in bench/results/NAME.json. */
export interface Result extends Findings {
  readonly bench: string;
  readonly about: string;
  /** Start time, ISO 8601. */
  readonly at: string;
  readonly seconds: number;
  readonly scale: number;
  readonly node: string;
  readonly machine: { readonly processors: number; readonly model: string; readonly gib: number };
}

/** A bench: `npm run bench -- NAME`. */
export interface Bench {
  readonly name: string;
  /** One line that describes what both sides do. */
  readonly about: string;
  run(options: BenchOptions): Promise<Findings>;
}

export interface BenchOptions {
  /** 1 as documented; smaller for a quick look. */
  readonly scale: number;
  readonly say: (text: string) => void;
}

/** Returns the median and the range of some values. */
export function spreadOf(values: readonly number[]): {
  readonly median: number;
  readonly min: number;
  readonly max: number;
} {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const half = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(half)) + at(Math.ceil(half))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/**
 * Returns curves of values over a growing total. Each round adds `count`, including a first round that is not among the
 * values.
 */
export function overRounds(
  count: number,
  lines: Readonly<Record<string, readonly number[]>>,
): Curve['lines'] {
  return Object.fromEntries(
    Object.entries(lines).map(([name, values]) => [
      name,
      values.map((value, round) => [(round + 1) * count, value] as const),
    ]),
  );
}

/** Returns the ratios of our values to the comparison's values of the same round. */
export function ratiosOf({ ours, beside }: Figure): number[] {
  return ours.map((value, round) => value / (beside[round] ?? Number.NaN));
}

/** Returns the value that a share of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
