import { writeSync } from 'node:fs';

import { createLineWriter, retryAfter } from '@knowledge-warehouse/plugin/host';

import { endWithoutOutput } from '../../terminal/output.js';
import { duration } from '../../terminal/units.js';

/** The output that the user of `npm start` sees. */
export interface Terminal {
  /** Prints a line. */
  print(line?: string): void;
  /** Prints a warning or an error of a part, dimmed or coloured if the terminal supports it. */
  warn(line: string): void;
  /**
   * Runs a named step and shows its progress and, at the end, its result and duration. The step gets a
   * function that reports the current action, in case it takes long.
   */
  step<T>(
    name: string,
    run: (progress: (message: string) => void) => Promise<T>,
    outcome: (result: T) => string,
  ): Promise<T>;
}

/** Milliseconds before a step reports its progress; without a terminal, it then prints a line at intervals. */
const quietMs = 1000;
const reminderMs = 15_000;
/** Milliseconds before a write to a file or pipe that failed is retried. */
const retryMs = 1000;
const nameWidth = 12;
const outcomeWidth = 34;

/** Creates the output on a stream. Redraws and colours lines only if the stream supports it. */
export function createTerminal(
  stream: NodeJS.WriteStream & { readonly fd: number },
  options: { readonly color: boolean },
): Terminal {
  const { isTTY } = stream;
  // A Node.js stream stops writing after a single failed write, such as to a full disk.
  const lines = createLineWriter({
    writeSome: (bytes) => writeSync(stream.fd, bytes),
    retryLater: retryAfter(retryMs),
    onLost: () => undefined,
    onRecovered: (lost) => print(`  ${lost} lines are missing here, because they could not be written.`),
  });
  const paint = (code: number, text: string): string =>
    isTTY && options.color ? `\x1b[${code}m${text}\x1b[0m` : text;
  let status = '';
  // A closed terminal accepts no output. That must not end this process before everything is stopped.
  stream.off('error', endWithoutOutput).on('error', () => undefined);

  const redraw = (text: string): void => {
    if (!isTTY || text === status) return;
    status = text.slice(0, (stream.columns || 80) - 1);
    stream.write(`\r\x1b[2K${status}`);
  };
  const print = (line = ''): void => {
    if (!isTTY) {
      lines.write(`${line}\n`);
      return;
    }
    const shown = status;
    redraw('');
    stream.write(`${line}\n`);
    redraw(shown);
  };

  return {
    print,
    warn: (line) => print(paint(33, line)),
    async step(name, run, outcome) {
      const started = Date.now();
      let doing = '';
      let reminded = started;
      const timer = setInterval(() => {
        const elapsed = Date.now() - started;
        if (elapsed < quietMs) return;
        const line = `  ${name.padEnd(nameWidth)} ${doing === '' ? '…' : doing} · ${duration(elapsed)}`;
        if (isTTY) redraw(line);
        else if (Date.now() - reminded >= reminderMs) {
          reminded = Date.now();
          print(line);
        }
      }, 250);
      try {
        const result = await run((message) => {
          const isNew = doing === '';
          doing = message;
          if (isNew && !isTTY) print(`  ${name.padEnd(nameWidth)} ${message}`);
        });
        const took = duration(Date.now() - started);
        redraw('');
        print(
          `  ${paint(32, '✓')} ${name.padEnd(nameWidth)} ${outcome(result).padEnd(outcomeWidth)} ${paint(2, took)}`,
        );
        return result;
      } finally {
        clearInterval(timer);
        redraw('');
      }
    },
  };
}
