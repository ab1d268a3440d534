/** An error that the user can fix: only its message is shown. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Runs a command. Prints a UserError as one line on standard error and sets the exit code 1. */
export async function telling(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
