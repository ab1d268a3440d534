export interface TextLine {
  readonly text: string;
  /** The position of its base line in page units, upwards as the line is read. */
  readonly y: number;
  /** In page units; 0 if unknown. */
  readonly height: number;
}

/** A gap of more than this many line heights between two base lines separates two paragraphs. */
const paragraphGap = 1.7;
/** Lines whose heights differ by more than this ratio are a heading and its text. */
const headingRatio = 1.15;

/** Joins a page's lines, with an empty line between paragraphs. */
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
  // The text moved up again: another column or a box.
  if (drop < -tallest) return true;
  return drop > tallest * paragraphGap || (lowest > 0 && tallest / lowest > headingRatio);
}
