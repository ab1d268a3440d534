const actions: (() => void)[] = [];

/** Runs an action when the process ends for any reason. Actions run in reverse order. */
export function atExit(action: () => void): void {
  if (actions.length === 0) {
    process.once('exit', () => {
      for (const each of actions.reverse()) {
        try {
          each();
        } catch {
          // Still run the other actions.
        }
      }
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(1));
  }
  actions.push(action);
}
