import { Button } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { hasSearchWords } from '@knowledge-warehouse/client';
import { useSearchStatus } from '../../api/search.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { plural } from '../../parts/format.js';

interface NothingFoundProps {
  readonly q: string;
  readonly isFiltered: boolean;
  readonly onClearFilters: () => void;
}

/** Shown without hits, with suggestions for what to try next. */
export function NothingFound({ q, isFiltered, onClearFilters }: NothingFoundProps): ReactElement {
  const status = useSearchStatus();
  const { resources = 0, pending = 0 } = status.data ?? {};
  const icon = <IconSearchOff size={26} stroke={1.6} />;
  if (!hasSearchWords(q))
    return (
      <EmptyState title="A search needs at least one word to find" icon={icon}>
        {/[\p{L}\p{N}\p{M}]/u.test(q)
          ? 'A minus sign before a word excludes passages with that word. Add a word without a minus sign.'
          : 'Punctuation alone finds nothing.'}
      </EmptyState>
    );
  if (status.data !== undefined && resources === 0)
    return (
      <EmptyState
        title="Nothing to search yet"
        icon={icon}
        action={
          <Button component={Link} href="/resources" variant="default">
            Go to resources
          </Button>
        }
      >
        {pending > 0
          ? `${plural(pending, 'resource')} will be searchable in a moment.`
          : 'Add files or URLs. Each is searchable as soon as its pipeline has completed.'}
      </EmptyState>
    );
  return (
    <EmptyState
      title="No passage matches"
      icon={icon}
      action={
        isFiltered && (
          <Button variant="default" onClick={onClearFilters}>
            Clear filters
          </Button>
        )
      }
    >
      {isFiltered ? 'Clear the filters first, or try' : 'Try'} other words, or fewer of them. A phrase in
      quotation marks matches only the same words in the same order.
      {pending > 0 && ` ${plural(pending, 'resource')} will be searchable in a moment.`}
    </EmptyState>
  );
}
