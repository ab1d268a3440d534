import { CloseButton } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { Card } from '../../../parts/layout/card.js';
import { Notice } from '../../../parts/messages/notice.js';
import { Original } from '../original/original.js';
import { PlaceText } from './place-text.js';
import type { Place } from './place.js';
import classes from './place-section.module.css';

interface PlaceSectionProps {
  readonly resource: Resource;
  readonly text: Artifact;
  readonly place: Place;
  readonly onClose: () => void;
}

/** A search hit: the text at its place with its surroundings, and the original next to it. */
export function PlaceSection({ resource, text, place, onClose }: PlaceSectionProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  // Braces, because some browsers return a promise, which is not a cleanup function.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, [place.start]);
  return (
    <Card aria-labelledby="place-title" className={classes.section}>
      <div className={classes.head}>
        <h2 id="place-title" ref={heading}>
          {place.page === null ? 'Found here' : `Found on page ${place.page}`}
        </h2>
        <CloseButton aria-label="Close this passage" onClick={onClose} />
      </div>
      {place.run < text.run && (
        <Notice tone="amber" title="The text has changed">
          A later run replaced the text, so the position may have changed.
        </Notice>
      )}
      <div className={classes.sides}>
        <PlaceText resource={resource} artifact={text} place={place} />
        <Original resource={resource} page={place.page} />
      </div>
    </Card>
  );
}
