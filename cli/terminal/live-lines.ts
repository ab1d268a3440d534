import { fit } from './width.js';

/** Lines at the end of the terminal that are redrawn as things change, below those that stay. */
export interface LiveLines {
  /** Whether there is a terminal. Without one, only `print` has an effect. */
  readonly live: boolean;
  /** Sets the live lines. The function is called several times a second, with the number of lines that fit. */
  show(lines: (room: number) => readonly string[]): void;
  /** Prints a line that stays. */
  print(line: string): void;
  /** Hides the live lines while something else writes to the terminal. */
  aside(write: () => void): void;
  /** Removes the live lines. */
  end(): void;
}

const frameMs = 100;
const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';

/** Creates live lines on a stream. If the stream is closed, the command continues without them. */
export function createLiveLines(stream: NodeJS.WriteStream): LiveLines {
  stream.on('error', () => undefined);
  const live = stream.isTTY;
  let content: (room: number) => readonly string[] = () => [];
  let drawn: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const erase = (): void => {
    if (drawn.length > 0) stream.write(`\x1b[${drawn.length}A\x1b[0J`);
    drawn = [];
  };
  const draw = (): void => {
    const columns = stream.columns || 80;
    const room = Math.max(1, (stream.rows || 24) - 2);
    const lines = content(room).map((text) => fit(text, columns - 1));
    if (lines.length === drawn.length && lines.every((text, index) => text === drawn[index])) return;
    const up = drawn.length > 0 ? `\x1b[${drawn.length}A` : '';
    const body = lines.map((text) => `\x1b[2K${text}\n`).join('');
    stream.write(`${up}${body}\x1b[0J`);
    drawn = lines;
  };
  const aside: LiveLines['aside'] = (write) => {
    erase();
    write();
    if (timer !== undefined) draw();
  };

  return {
    live,
    show(lines) {
      content = lines;
      if (!live || timer !== undefined) return;
      stream.write(hideCursor);
      timer = setInterval(draw, frameMs);
      draw();
    },
    print: (line) => aside(() => void stream.write(`${line}\n`)),
    aside,
    end() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      erase();
      stream.write(showCursor);
    },
  };
}
