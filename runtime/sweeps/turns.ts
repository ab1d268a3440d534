import type { SweepTask } from './sweeper.js';

/** A sweep that one process at a time runs. */
export interface Turn {
  readonly name: string;
  /** The pause between its turns. */
  readonly pauseSeconds: number;
  /** The longest pause that its work may ask for. Default: `pauseSeconds`. */
  readonly longestPauseSeconds?: number;
  /** For how long a process that is killed during its turn blocks the sweep. Default: 30. */
  readonly leaseSeconds?: number;
}

/** Where the next turn starts. `pauseSeconds` replaces the usual pause before it; with 0, it starts in the next round. */
type TurnEnd = { readonly position: string | null; readonly pauseSeconds?: number } | string | null;

/** Does the work of a turn, from where the last one stopped; null in the first turn. */
type TurnWork = (position: string | null) => Promise<TurnEnd>;

/** The sweeps that take turns. */
export interface Turns {
  /** Reads once per round which turns are not due, so that an idle service needs no statement for each of them. */
  look(): Promise<void>;
  /** Does the work in this process if the turn is due. `MORE`: the next turn is due. */
  take(turn: Turn, work: TurnWork): Promise<'MORE' | null>;
  task(turn: Turn, work: (position: string | null, signal: AbortSignal) => ReturnType<TurnWork>): SweepTask;
}

interface TurnStore {
  listPaused(): Promise<readonly { readonly name: string; readonly remainingSeconds: number }[]>;
  /**
   * Null if the turn is not due, or another process has it. A turn due later than `longestSeconds` from now counts as
   * due.
   */
  take(
    name: string,
    times: { readonly leaseSeconds: number; readonly longestSeconds: number },
  ): Promise<{ readonly position: string | null } | null>;
  end(
    name: string,
    next: { readonly position: string | null; readonly pauseSeconds: number },
  ): Promise<unknown>;
}

/** Processes that ask for a turn at the same time see times that differ by less than this. */
const marginSeconds = 60;

/**
 * Creates the turns of a process. A turn due later than its longest pause from now counts as due: otherwise all sweeps
 * would stop for hours after the database's clock was hours ahead and was set back.
 */
export function createTurns(store: TurnStore): Turns {
  let paused: ReadonlyMap<string, number> = new Map();
  const take: Turns['take'] = async (
    { name, pauseSeconds, longestPauseSeconds = pauseSeconds, leaseSeconds = 30 },
    work,
  ) => {
    const longestSeconds = Math.max(longestPauseSeconds, leaseSeconds) + marginSeconds;
    const remainingSeconds = paused.get(name);
    if (remainingSeconds !== undefined && remainingSeconds <= longestSeconds) return null;
    const turn = await store.take(name, { leaseSeconds, longestSeconds });
    if (turn === null) return null;
    const end = await work(turn.position);
    const next = typeof end === 'object' && end !== null ? end : { position: end };
    await store.end(name, { pauseSeconds, ...next });
    return next.pauseSeconds === 0 ? 'MORE' : null;
  };
  return {
    async look() {
      // If it fails, every turn is tried.
      paused = new Map();
      const listed = await store.listPaused();
      paused = new Map(listed.map(({ name, remainingSeconds }) => [name, remainingSeconds]));
    },
    take,
    task: (turn, work) => ({
      name: turn.name,
      run: (signal) => take(turn, (position) => work(position, signal)),
    }),
  };
}
