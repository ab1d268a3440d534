/** The meanings of exit codes; `kw help` and docs/cli.md show the same. */
export const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const;

/** Ends the command: its message is all that a person is told. An empty one: they were told already. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The command was typed wrong: nothing was done. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** The user pressed Ctrl-C, or the system asked the process to end. */
export class Interrupted extends CommandError {
  override readonly name = 'Interrupted';

  constructor() {
    super('', exitCodes.interrupted);
  }
}
