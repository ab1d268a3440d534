import { ratiosOf, spreadOf, type Figure, type Findings } from './figure.js';

/** A line of a table of figures for people. */
export type Row = Readonly<Record<'what' | 'ours' | 'beside' | 'ratio' | 'goal' | 'reached', string>>;

export function rowsOf({ figures, counts = [] }: Findings): Row[] {
  const compared = figures.map((figure) => {
    const ratio = spreadOf(ratiosOf(figure));
    return {
      what: figure.what,
      ours: `${short(spreadOf(figure.ours).median)} ${figure.unit}`,
      beside: `${short(spreadOf(figure.beside).median)} ${figure.unit}`,
      ratio: `${short(ratio.median)} (${short(ratio.min)} to ${short(ratio.max)})`,
      ...goalOf(figure.goal, ratio.median),
    };
  });
  const alone = counts.map(({ what, unit, value, goal }) => ({
    what,
    ours: `${short(value)} ${unit}`,
    beside: '',
    ratio: '',
    ...goalOf(goal, value),
  }));
  return [...compared, ...alone];
}

/** Rounds to three digits, but keeps all digits of a whole number. */
function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

function goalOf(goal: Figure['goal'], value: number): Pick<Row, 'goal' | 'reached'> {
  if (goal === null) return { goal: '', reached: '' };
  return 'atLeast' in goal
    ? { goal: `>= ${goal.atLeast}`, reached: value >= goal.atLeast ? 'yes' : 'NO' }
    : { goal: `<= ${goal.atMost}`, reached: value <= goal.atMost ? 'yes' : 'NO' };
}
