import type { ReactElement } from 'react';
import type { SearchHit } from '@knowledge-warehouse/client';
import { CardLink, LinkCard } from '../../parts/layout/link-card.js';
import { Highlighted } from '../../parts/highlighted.js';
import { toPlaceParameters } from '../../parts/place-address.js';
import { describePlace } from '../../parts/place.js';
import type { Filter } from './search-query.js';
import { snippetOf } from './snippet.js';
import classes from './hit-card.module.css';

interface HitCardProps {
  readonly hit: SearchHit;
  /** The parameters of the search's own address. */
  readonly search: string;
  readonly onFilter: (filter: Filter) => void;
}

/** A hit: its resource, its place and the surrounding text. The whole card links to it. */
export function HitCard({ hit, search, onFilter }: HitCardProps): ReactElement {
  const { resource, chunk } = hit;
  const place = describePlace(chunk);
  return (
    <LinkCard className={classes.hit}>
      <h2 className={classes.title} data-hit dir="auto">
        <CardLink href={`/resources/${resource.id}?${toPlaceParameters(hit, search)}`}>
          {resource.name}
        </CardLink>
      </h2>
      {place !== '' && (
        <p className={classes.place} dir="auto">
          {place}
        </p>
      )}
      <p className={classes.text} dir="auto">
        <Highlighted {...snippetOf(hit.text, hit.highlights)} />
      </p>
      <button
        type="button"
        className={classes.type}
        aria-label={`Only the type ${resource.type}`}
        onClick={() => onFilter(['type', resource.type])}
      >
        {resource.type}
      </button>
    </LinkCard>
  );
}
