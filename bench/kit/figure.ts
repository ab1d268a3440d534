/** What one bench measures: our side and the one beside it, taken in turns. */
export interface Figure {
  readonly what: string;
  /** Of the values, such as `steps/s`; the ratio has none. */
  readonly unit: string;
  /** One value a round; ours and beside it belong together by their place. */
  readonly ours: readonly number[];
  readonly beside: readonly number[];
  /** What the ratio ours / beside is to be, at least or at most; null where there is no goal. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** A count or a size that has a bound of its own and nothing beside it. */
export interface Count {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** What a bench found. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly counts?: readonly Count[];
  /** Points of a curve, for docs/performance.md. */
  readonly curve?: Curve;
}

/** Lines by their names, as points; `x` and `y` say what the axes are, with units. */
export interface Curve {
  readonly x: string;
  readonly y: string;
  readonly lines: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

/** What a bench found, as it is kept in bench/results/NAME.json. */
export interface Result extends Findings {
  readonly bench: string;
  readonly about: string;
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly seconds: number;
  readonly scale: number;
  readonly node: string;
  readonly machine: { readonly processors: number; readonly model: string; readonly gib: number };
}

/** A bench: `npm run bench -- NAME`. */
export interface Bench {
  readonly name: string;
  /** One line: what is done on either side. */
  readonly about: string;
  run(options: BenchOptions): Promise<Findings>;
}

export interface BenchOptions {
  /** 1: as documented; smaller for a quick look. */
  readonly scale: number;
  readonly say: (text: string) => void;
}

/** The middle of some values, and how far they lie apart. */
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
 * How values change as more and more is there: each round adds `count`, and so did the one before the first, which
 * is not among the values.
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

/** Ours by what stood beside it in the same round. */
export function ratiosOf({ ours, beside }: Figure): number[] {
  return ours.map((value, round) => value / (beside[round] ?? Number.NaN));
}

export function isReached(value: number, goal: Figure['goal']): boolean {
  if (goal === null) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The value that a share of all lies at or below (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
