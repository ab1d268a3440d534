import type { SweepTask } from './sweeper.js';

/** A sweep that one process at a time runs. */
export interface Turn {
  readonly name: string;
  /** The pause between its turns. */
  readonly pauseSeconds: number;
  /** For how long a process that is killed during its turn blocks the sweep. Default: 30. */
  readonly leaseSeconds?: number;
}

/** Where the next turn starts. `pauseSeconds` replaces the usual pause before it. */
type TurnEnd = { readonly position: string | null; readonly pauseSeconds?: number } | string | null;

/** Does the work of a turn, from where the last one stopped; null in the first turn. */
type TurnWork = (position: string | null) => Promise<TurnEnd>;

/** The sweeps that take turns. */
export interface Turns {
  /**
   * Reads once per round which turns are not due, so that an idle service does not need a statement for each of them.
   */
  look(): Promise<void>;
  /** Does the work in this process if the turn is due. */
  take(turn: Turn, work: TurnWork): Promise<void>;
  task(turn: Turn, work: TurnWork): SweepTask;
}

interface TurnStore {
  listPaused(): Promise<readonly string[]>;
  /** Returns null if the turn is not due, or another process has it. */
  take(name: string, leaseSeconds: number): Promise<{ readonly position: string | null } | null>;
  end(
    name: string,
    next: { readonly position: string | null; readonly pauseSeconds: number },
  ): Promise<unknown>;
}

export function createTurns(store: TurnStore): Turns {
  let paused: ReadonlySet<string> = new Set();
  const take: Turns['take'] = async ({ name, pauseSeconds, leaseSeconds = 30 }, work) => {
    if (paused.has(name)) return;
    const turn = await store.take(name, leaseSeconds);
    if (turn === null) return;
    const end = await work(turn.position);
    const next = typeof end === 'object' && end !== null ? end : { position: end };
    await store.end(name, { pauseSeconds, ...next });
  };
  return {
    async look() {
      // If it fails, every turn is tried.
      paused = new Set();
      paused = new Set(await store.listPaused());
    },
    take,
    task: (turn, work) => ({ name: turn.name, run: () => take(turn, work) }),
  };
}
