/** A run of characters on a page. */
export interface PositionedText {
  readonly str: string;
  /** Whether a line ends here. */
  readonly hasEOL: boolean;
  /** In units of the page; 0 for white space. */
  readonly height: number;
  /** `[a, b, c, d, x, y]`, with y growing upwards. */
  readonly transform: readonly number[];
}

interface Line {
  readonly text: string;
  readonly y: number;
  readonly height: number;
}

/** A gap of more than this many line heights between two base lines parts two paragraphs. */
const paragraphGap = 1.7;
/** Lines whose heights differ more than this belong to a heading and its text. */
const headingRatio = 1.15;

/** A page's text: its lines one below the other, with an empty line between paragraphs. */
export function pageText(runs: readonly PositionedText[]): string {
  let text = '';
  let previous: Line | undefined;
  for (const line of linesOf(runs)) {
    if (previous) text += startsParagraph(previous, line) ? '\n\n' : '\n';
    text += line.text;
    previous = line;
  }
  return text;
}

function* linesOf(runs: readonly PositionedText[]): Generator<Line> {
  let text = '';
  let y = 0;
  let height = 0;
  for (const run of runs) {
    if (text === '') y = run.transform[5] ?? 0;
    text += run.str;
    height = Math.max(height, run.height);
    if (!run.hasEOL) continue;
    if (text.trim() !== '') yield { text: text.trimEnd(), y, height };
    text = '';
    height = 0;
  }
  if (text.trim() !== '') yield { text: text.trimEnd(), y, height };
}

function startsParagraph(above: Line, below: Line): boolean {
  const drop = above.y - below.y;
  const tallest = Math.max(above.height, below.height);
  const lowest = Math.min(above.height, below.height);
  // The text went back up: another column or a box.
  if (drop < -tallest) return true;
  return drop > tallest * paragraphGap || (lowest > 0 && tallest / lowest > headingRatio);
}
