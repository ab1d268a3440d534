/** The meanings of exit codes; `kw help` and docs/cli.md show the same. */
export const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const;

/** Ends the command. The message is all the user sees; empty if the error was already reported. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
  ) {
    super(message);
  }
}

/** Wrong usage of a command. Nothing was done. */
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
