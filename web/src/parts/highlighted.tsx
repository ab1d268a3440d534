import type { ReactElement } from 'react';
import type { Span } from './code-points.js';

export interface MarkedText {
  readonly text: string;
  /** UTF-16 indexes in the order of the text, without overlaps. */
  readonly marks: readonly Span[];
}

/** A text with the search words highlighted. */
export function Highlighted({ text, marks }: MarkedText): ReactElement {
  const starts = [0, ...marks.map(({ end }) => end)];
  return (
    <>
      {starts.map((start, place) => {
        const mark = marks[place];
        return (
          <span key={start}>
            {text.slice(start, mark?.start ?? text.length)}
            {mark !== undefined && <mark>{text.slice(mark.start, mark.end)}</mark>}
          </span>
        );
      })}
    </>
  );
}
