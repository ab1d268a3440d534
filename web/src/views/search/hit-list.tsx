import type { KeyboardEvent, ReactElement } from 'react';
import type { SearchHit } from '@knowledge-warehouse/client';
import type { Filter } from './search-query.js';
import { HitCard } from './hit-card.js';
import { keyOf, linksIn } from './hits.js';
import classes from './hit-list.module.css';

interface HitListProps {
  readonly hits: readonly SearchHit[];
  /** The parameters of the search's own address. */
  readonly search: string;
  /** The hits are those of the previous query, while the new ones load. */
  readonly isStale: boolean;
  readonly onFilter: (filter: Filter) => void;
}

const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The hits, best first. Arrow keys move between them. */
export function HitList({ hits, search, isStale, onFilter }: HitListProps): ReactElement {
  return (
    // Arrow keys are only a shortcut: the links in the list are focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ol className={classes.list} aria-label="Hits" aria-busy={isStale} onKeyDown={moveFocus}>
      {hits.map((hit) => (
        <HitCard key={keyOf(hit)} hit={hit} search={search} onFilter={onFilter} />
      ))}
    </ol>
  );
}

function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const move = moves[event.key];
  if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = linksIn(event.currentTarget);
  const current = links.findIndex((link) => link.closest('li')?.contains(document.activeElement) === true);
  const next = links[current + move];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.closest('li')?.scrollIntoView({ block: 'nearest' });
}
