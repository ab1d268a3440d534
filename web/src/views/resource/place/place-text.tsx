import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { useArtifact } from '../../../api/resources.js';
import { toIndexes } from '../../../parts/code-points.js';
import { ErrorState } from '../../../parts/messages/error-state.js';
import { PageLoader } from '../../../parts/layout/page-loader.js';
import type { Place } from './place.js';
import classes from './place-section.module.css';

/** Characters shown before and after the place at first, and added each time. */
const surroundings = 1_000;

interface PlaceTextProps {
  readonly resource: Resource;
  readonly artifact: Artifact;
  readonly place: Place;
}

/** Marks the text at a place, and shows more of it on both sides on demand. */
export function PlaceText({ resource, artifact, place }: PlaceTextProps): ReactElement {
  const content = useArtifact(resource.id, artifact.id, artifact.updated_at, true);
  if (content.isPending) return <PageLoader />;
  if (content.isLoadingError)
    return <ErrorState error={content.error} onRetry={() => void content.refetch()} />;
  return <Excerpt key={place.start} text={content.data.content as string} place={place} />;
}

function Excerpt({ text, place }: { readonly text: string; readonly place: Place }): ReactElement {
  const [before, setBefore] = useState(surroundings);
  const [after, setAfter] = useState(surroundings);
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const [{ start, end } = { start: 0, end: 0 }] = toIndexes(text, [place]);
  const from = Math.max(0, start - before);
  const to = Math.min(text.length, end + after);
  return (
    <div className={classes.text} dir="auto" tabIndex={0} role="region" aria-label="Text at this place">
      {from > 0 && (
        <Button
          className={classes.more ?? ''}
          size="compact-xs"
          variant="default"
          onClick={() => setBefore(before + 5 * surroundings)}
        >
          Show more before
        </Button>
      )}
      {text.slice(from, start)}
      <mark ref={mark}>{text.slice(start, end)}</mark>
      {text.slice(end, to)}
      {to < text.length && (
        <Button
          className={classes.more ?? ''}
          size="compact-xs"
          variant="default"
          onClick={() => setAfter(after + 5 * surroundings)}
        >
          Show more after
        </Button>
      )}
    </div>
  );
}
