/** A line of text on a page. */
export interface TextLine {
  readonly text: string;
  /** Of its base line, in units of the page, growing upwards. */
  readonly y: number;
  /** In units of the page; 0 where it is not known. */
  readonly height: number;
}

/** A gap of more than this many line heights between two base lines parts two paragraphs. */
const paragraphGap = 1.7;
/** Lines whose heights differ more than this belong to a heading and its text. */
const headingRatio = 1.15;

/** A page's text: its lines one below the other, with an empty line between paragraphs. */
export function pageText(lines: readonly TextLine[]): string {
  let text = '';
  let previous: TextLine | undefined;
  for (const line of lines) {
    if (previous) text += startsParagraph(previous, line) ? '\n\n' : '\n';
    text += line.text;
    previous = line;
  }
  return text;
}

function startsParagraph(above: TextLine, below: TextLine): boolean {
  const drop = above.y - below.y;
  const tallest = Math.max(above.height, below.height);
  const lowest = Math.min(above.height, below.height);
  // The text went back up: another column or a box.
  if (drop < -tallest) return true;
  return drop > tallest * paragraphGap || (lowest > 0 && tallest / lowest > headingRatio);
}
