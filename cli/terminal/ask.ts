import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { CommandError, Interrupted, UsageError } from '../exit.js';

/** Whether a user can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Asks the user at the terminal for a line.
 *
 * @param hidden Hides what the user types.
 * @throws Interrupted on Ctrl-C and Ctrl-D
 */
export async function ask(question: string, options: { readonly hidden?: boolean } = {}): Promise<string> {
  const { hidden = false } = options;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({
    input: process.stdin,
    output: hidden ? nowhere : process.stderr,
    terminal: true,
    historySize: 0,
  });
  // The question is written only after echo is off, so that an immediately typed key stays hidden.
  process.stderr.write(question);
  // Editing redraws the line with the prompt. Hidden input is not redrawn.
  if (!hidden) reader.setPrompt(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('close', () => reject(new Interrupted()));
      reader.once('SIGINT', () => reject(new Interrupted()));
    });
  } finally {
    reader.close();
    if (hidden) process.stderr.write('\n');
  }
}

/** Asks for confirmation. Throws UsageError without a terminal, CommandError if the answer is anything but yes. */
export async function requireYes(question: string, { yes }: { readonly yes?: boolean }): Promise<void> {
  if (yes === true) return;
  if (!canAsk()) throw new UsageError('There is no terminal for the confirmation: pass --yes.');
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.');
}
