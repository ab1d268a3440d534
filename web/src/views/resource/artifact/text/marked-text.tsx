import { Fragment, type ReactElement } from 'react';
import type { Match } from './find.js';
import classes from './long-text.module.css';

interface MarkedTextProps {
  readonly text: string;
  /** The matches in this text. */
  readonly matches: readonly Match[];
  readonly current: Match | undefined;
}

/** A text with its matches marked. */
export function MarkedText({ text, matches, current }: MarkedTextProps): ReactElement {
  return (
    <>
      {matches.map((match, index) => (
        <Fragment key={match.start}>
          {text.slice(matches[index - 1]?.end ?? 0, match.start)}
          <mark className={classes.mark} data-current={match === current ? 'true' : undefined}>
            {text.slice(match.start, match.end)}
          </mark>
        </Fragment>
      ))}
      {text.slice(matches.at(-1)?.end ?? 0)}
    </>
  );
}
