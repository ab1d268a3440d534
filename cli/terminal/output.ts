import { exitCodes } from '../exit.js';
import { ago, clock } from './units.js';

/** The result of a command, printed for people or programs. The command finishes its work even if its reader is gone. */
export interface Output {
  /** Columns of the terminal; null: the output goes to a file or a program. */
  readonly width: number | null;
  /** Formats a time: how long ago it was on a terminal, unchanged for a file or a program. */
  time(at: string): string;
  /** Formats a time to come: by the clock on a terminal, unchanged for a file or a program. */
  readonly clock: (at: string) => string;
  line(text: string): void;
  /** Prints a value as JSON; on a terminal, indented. */
  json(value: unknown): void;
  /** Prints a value as JSON if the flags ask for it, otherwise as the lines that describe it. */
  result(value: unknown, flags: { readonly json?: boolean }, describe: () => readonly string[]): void;
  /**
   * Writes the output of a command that changes nothing, no faster than it is read. If its reader is gone (`kw ls | head`),
   * ends the process without a message.
   */
  write(chunk: Uint8Array | string): Promise<void>;
}

/** Ends the process with a message if standard output cannot be written, unless its reader is gone. */
export function endWithoutOutput(error: NodeJS.ErrnoException): void {
  if (isUnread(error)) return;
  process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
  process.exit(exitCodes.failed);
}

const isUnread = (error: NodeJS.ErrnoException): boolean => error.code === 'EPIPE';

/** Resolves when everything has been written to the stream, or when its reader has closed it. */
export const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((done) => void stream.write('', () => done()));

/** Writes results to standard output. `endWithoutOutput` handles its errors. */
export function createOutput(stream: NodeJS.WriteStream): Output {
  const write = (chunk: Uint8Array | string): Promise<void> =>
    new Promise((done) => {
      stream.write(chunk, (error) => {
        if (!error) done();
        else if (isUnread(error)) process.exit();
      });
    });
  const output: Output = {
    width: stream.isTTY ? stream.columns || 80 : null,
    time: (at) => (output.width === null ? at : ago(at)),
    clock: (at) => (output.width === null ? at : clock(at)),
    line: (text) => void stream.write(`${text}\n`),
    json: (value) => void stream.write(`${JSON.stringify(value, null, stream.isTTY ? 2 : undefined)}\n`),
    result(value, { json = false }, describe) {
      if (json) output.json(value);
      else for (const line of describe()) output.line(line);
    },
    write,
  };
  return output;
}
