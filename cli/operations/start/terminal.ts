import { writeSync } from 'node:fs';

import { createLineWriter, retryAfter } from '@knowledge-warehouse/plugin/host';

/** The output that the user of `npm start` sees. */
export interface Terminal {
  /** A line of its own. */
  print(line?: string): void;
  /** A warning or an error of a part, dimmed or coloured where there is colour. */
  warn(line: string): void;
  /**
   * Runs a named step, shows its progress and, at the end, its result and duration. The step gets a function
   * that reports the current action, in case it takes long.
   */
  step<T>(
    name: string,
    run: (progress: (message: string) => void) => Promise<T>,
    outcome: (result: T) => string,
  ): Promise<T>;
}

/** A step says nothing for so long; then, without a terminal, a line every now and then. */
const quietMs = 1000;
const reminderMs = 15_000;
/** A file or a pipe that takes no line is tried again after so long. */
const retryMs = 1000;
const nameWidth = 12;
const outcomeWidth = 34;

/** A terminal on a stream; lines are redrawn and coloured only where the stream is one that can. */
export function createTerminal(
  stream: NodeJS.WriteStream & { readonly fd: number },
  options: { readonly color: boolean },
): Terminal {
  const { isTTY } = stream;
  // A stream of Node's writes nothing more after a file on a full disk refused one line.
  const lines = createLineWriter({
    writeSome: (bytes) => writeSync(stream.fd, bytes),
    retryLater: retryAfter(retryMs),
    onLost: () => undefined,
    onRecovered: (lost) => print(`  ${lost} lines are missing here, because they could not be written.`),
  });
  const paint = (code: number, text: string): string =>
    isTTY && options.color ? `\x1b[${code}m${text}\x1b[0m` : text;
  let status = '';
  // A terminal that was closed takes nothing any more; that must not end us before all is stopped.
  stream.on('error', () => undefined);

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

/** A time span for people: 0.4 s, 12 s, 3 min 20 s. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
