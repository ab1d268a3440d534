import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';

import { CommandError } from './exit.js';

/** Reads the text of a file, or of standard input for `-`. Throws CommandError. */
export async function readInput(path: string): Promise<string> {
  try {
    return path === '-' ? await readText(process.stdin) : readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${inputName(path)} cannot be read: ${(error as Error).message}`);
  }
}

/** The name of a file for messages. */
export const inputName = (path: string): string => (path === '-' ? 'standard input' : path);
