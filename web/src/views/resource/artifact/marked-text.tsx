import type { ReactElement } from 'react';
import type { Match } from './find.js';
import classes from './long-text.module.css';

interface MarkedTextProps {
  readonly text: string;
  /** Those in this text. */
  readonly matches: readonly Match[];
  readonly current: Match | undefined;
}

/** A text with what was found in it marked. */
export function MarkedText({ text, matches, current }: MarkedTextProps): ReactElement {
  let end = 0;
  return (
    <>
      {matches.map((match) => {
        const before = text.slice(end, match.start);
        end = match.end;
        return [
          before,
          <mark
            key={match.start}
            className={classes.mark}
            data-current={match === current ? 'true' : undefined}
          >
            {text.slice(match.start, match.end)}
          </mark>,
        ];
      })}
      {text.slice(end)}
    </>
  );
}
