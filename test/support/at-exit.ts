const actions: (() => void)[] = [];

/** Does this when the process ends, however it does; what was asked for last comes first. */
export function atExit(action: () => void): void {
  if (actions.length === 0) {
    process.once('exit', () => {
      for (const each of actions.reverse()) {
        try {
          each();
        } catch {
          // The others still have their turn.
        }
      }
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(1));
  }
  actions.push(action);
}
