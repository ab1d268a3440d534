import { fit } from './text.js';

/** Lines at the end of a terminal that are written anew as things go on, below those that stay. */
export interface LiveLines {
  /** Whether there is a terminal: without one nothing is live and `print` is all there is. */
  readonly live: boolean;
  /** Says what the live lines are; asked for a few times a second. */
  show(lines: () => readonly string[]): void;
  /** A line that stays. */
  print(line: string): void;
  /** Does something that writes to the terminal by itself, with the live lines out of its way. */
  aside(write: () => void): void;
  /** Takes the live lines away. */
  end(): void;
}

const frameMs = 100;
const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';

/** Live lines on a stream. */
export function createLiveLines(stream: NodeJS.WriteStream): LiveLines {
  const live = stream.isTTY;
  let content: () => readonly string[] = () => [];
  let drawn: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const erase = (): void => {
    if (drawn.length > 0) stream.write(`\x1b[${drawn.length}A\x1b[0J`);
    drawn = [];
  };
  const draw = (): void => {
    const columns = stream.columns || 80;
    const room = Math.max(1, (stream.rows || 24) - 2);
    const all = content();
    const shown =
      all.length > room ? [...all.slice(0, room - 1), `… and ${all.length - room + 1} more`] : all;
    const lines = shown.map((text) => fit(text, columns - 1));
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
