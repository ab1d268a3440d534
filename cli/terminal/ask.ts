import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { Interrupted } from '../exit.js';

/** Whether there is somebody to ask. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Asks a person at the terminal for a line.
 *
 * @param hidden Shows nothing of what is typed.
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
  // Only now that the terminal echoes nothing by itself: who types as soon as it is there shows no key.
  process.stderr.write(question);
  // The question stands before what is edited; where nothing is shown, it stays as it was written.
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

/** Asks for yes or no; anything but yes is no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
