import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useArtifact } from '../../../api/resources.js';
import { bestHighlight, type Artifact, type Resource } from '@knowledge-warehouse/client';
import { afterPair, toIndexes } from '../../../parts/code-points.js';
import { Highlighted } from '../../../parts/highlighted.js';
import { shownAtOnce } from '../../../parts/place-address.js';
import { LoadingState } from '../../../parts/messages/loading-state.js';
import type { Place } from './place.js';
import classes from './place-section.module.css';

/** Characters shown before and after the place at first, and added each time. */
const surroundings = 1_000;

interface PlaceTextProps {
  readonly resource: Resource;
  readonly artifact: Artifact;
  readonly place: Place;
}

/** Marks the words found at a place, or else its whole text, and shows more of it on both sides on demand. */
export function PlaceText({ resource, artifact, place }: PlaceTextProps): ReactElement {
  const content = useArtifact(resource.id, artifact.id, artifact.updated_at, true);
  if (content.data === undefined) return <LoadingState query={content} />;
  return (
    <Excerpt
      key={place.start}
      text={content.data.content as string}
      place={place}
      isMoved={place.run < artifact.run}
    />
  );
}

interface ExcerptProps {
  readonly text: string;
  readonly place: Place;
  /** A later run replaced the text, so the words may be elsewhere. */
  readonly isMoved: boolean;
}

function Excerpt({ text, place, isMoved }: ExcerptProps): ReactElement {
  const [before, setBefore] = useState(surroundings);
  const [after, setAfter] = useState(surroundings);
  const box = useRef<HTMLDivElement>(null);
  const [{ start, end } = { start: 0, end: 0 }] = toIndexes(text, [place]);
  const passage = text.slice(start, end);
  const marks = isMoved ? [] : toIndexes(passage, place.marks);
  const words = marks.map((mark) => ({ ...mark, text: passage.slice(mark.start, mark.end) }));
  const best = bestHighlight(words, shownAtOnce);
  useEffect(() => {
    if (box.current !== null) showMark(box.current, best);
  }, [best]);
  const from = afterPair(text, Math.max(0, start - before));
  const to = afterPair(text, Math.min(text.length, end + after));
  return (
    <div
      ref={box}
      className={classes.text}
      dir="auto"
      tabIndex={0}
      role="region"
      aria-label="Text at this place"
    >
      {from > 0 && (
        <Button
          className={classes.more ?? ''}
          size="compact-xs"
          variant="default"
          onClick={() => setBefore(before + 5 * surroundings)}
        >
          Show earlier text
        </Button>
      )}
      {text.slice(from, start)}
      {marks.length === 0 ? (
        <mark>{passage}</mark>
      ) : (
        <span className={classes.passage}>
          <Highlighted text={passage} marks={marks} />
        </span>
      )}
      {text.slice(end, to)}
      {to < text.length && (
        <Button
          className={classes.more ?? ''}
          size="compact-xs"
          variant="default"
          onClick={() => setAfter(after + 5 * surroundings)}
        >
          Show later text
        </Button>
      )}
    </div>
  );
}

/** Scrolls to a mark: a box with a few lines above the mark, and the page only as far as needed. */
function showMark(box: HTMLElement, index: number): void {
  const mark = box.querySelectorAll('mark')[index];
  if (mark === undefined) return;
  box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4;
  mark.scrollIntoView({ block: 'nearest' });
}
