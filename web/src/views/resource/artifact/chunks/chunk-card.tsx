import type { ReactElement } from 'react';
import { formatCount, plural } from '../../../../parts/format.js';
import { describePlace } from '../../../../parts/place.js';
import type { Match } from '../text/find.js';
import { MarkedText } from '../text/marked-text.js';
import type { ShownChunk } from './read-chunks.js';
import classes from './chunks-content.module.css';

interface ChunkCardProps {
  readonly chunk: ShownChunk;
  readonly index: number;
  readonly isChosen?: boolean;
  readonly matches?: readonly Match[];
  readonly current?: Match | undefined;
  /** A link to its vector, or from its vector to the chunk. */
  readonly children?: ReactElement | null;
}

/** A chunk with its place and size. */
export function ChunkCard(props: ChunkCardProps): ReactElement {
  const { chunk, index, isChosen = false, matches = [], current, children } = props;
  const { text, start, end, tokens } = chunk;
  const place = describePlace(chunk);
  return (
    <article className={classes.card} aria-label={`Chunk ${index}`} data-chosen={isChosen || undefined}>
      <div className={classes.head}>
        <strong>Chunk {formatCount(index)}</strong>
        {place !== '' && <span dir="auto">{place}</span>}
        {start !== null && end !== null && (
          <span className="tabular" title="Position in the text, in characters">
            {formatCount(start)}–{formatCount(end)}
          </span>
        )}
        <span className="tabular">
          {plural(end !== null && start !== null ? end - start : Array.from(text).length, 'character')}
          {tokens !== null && `, ${plural(tokens, 'token')}`}
        </span>
        {children}
      </div>
      <p className={classes.text} dir="auto">
        <MarkedText text={text} matches={matches} current={current} />
      </p>
    </article>
  );
}
