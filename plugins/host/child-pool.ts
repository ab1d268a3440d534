import type { ChildState } from './child-messages.js';
import { hasEnded, startChild, type Child, type ChildKind } from './child-process.js';

/** Child processes that are reused for one task after another. */
export interface ChildPool {
  /**
   * Runs a task of a kind in a child: an idle one, or else a new one. `work` returns the child's state after the task.
   * The child ends if that is null, or if `work` throws.
   */
  use(
    kind: ChildKind,
    which: 'any' | 'new',
    work: (child: Child) => Promise<ChildState | null>,
  ): Promise<void>;
  /**
   * Starts a child that loads these modules. From now on, when the last idle child is taken, another one starts, until
   * there are as many as allowed: a process that reads few documents needs few children.
   */
  startAhead(kind: ChildKind, modules: readonly URL[]): Promise<void>;
}

/** A child ends after this many tasks, or with this much memory. */
const retirement = { tasks: 500, residentMb: 320 } as const;
/** How long a child stays idle before it ends. */
const idleMs = 10 * 60_000;

const mayServeAgain = (child: Child, kind: ChildKind, state: ChildState): boolean =>
  state.isClean &&
  child.tasks < retirement.tasks &&
  state.residentBytes < Math.min(retirement.residentMb, kind.memoryMb / 2) * 1024 * 1024;

/** Creates a pool with at most `most` children, idle or working, unless more are used at once. */
export function createChildPool(most: number): ChildPool {
  // In the order in which they became idle, so that surplus children are the first.
  const idle = new Map<Child, NodeJS.Timeout>();
  let inUse = 0;
  let startSpare: (() => Promise<void>) | null = null;

  const take = (child: Child): Child => {
    clearTimeout(idle.get(child));
    idle.delete(child);
    child.hold(true);
    return child;
  };

  const standBy = (child: Child): void => {
    child.hold(false);
    idle.set(child, setTimeout(() => void take(child).end(), idleMs).unref());
    void child.closed
      .catch(() => undefined)
      .then(async () => {
        if (idle.has(child)) await take(child).end();
      });
  };

  const start = async (kind: ChildKind): Promise<Child> => {
    const [oldest] = idle.keys();
    if (oldest !== undefined && inUse + idle.size > most) await take(oldest).end();
    return await startChild(kind);
  };

  return {
    async use(kind, which, work) {
      inUse += 1;
      try {
        const waiting = which === 'new' ? [] : [...idle.keys()].reverse();
        const ready = waiting.find((each) => !hasEnded(each) && each.fits(kind));
        const child = ready === undefined ? await start(kind) : take(ready);
        // If it cannot start, the next task starts its own child, and says why that failed.
        if (ready !== undefined && idle.size === 0) startSpare?.().catch(() => undefined);
        let state: ChildState | null = null;
        try {
          state = await work(child);
          if (state !== null) child.note(state);
        } finally {
          if (state !== null && mayServeAgain(child, kind, state)) standBy(child);
          else await child.end();
        }
      } finally {
        inUse -= 1;
      }
    },

    async startAhead(kind, modules) {
      startSpare = async () => {
        if (inUse + idle.size >= most) return;
        const child = await startChild(kind);
        for (const module of modules) child.ask({ module: module.href });
        // In the meantime, tasks may have started children of their own.
        if (inUse + idle.size < most) standBy(child);
        else await child.end();
      };
      await startSpare();
    },
  };
}
