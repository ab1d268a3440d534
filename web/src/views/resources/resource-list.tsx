import { Button } from '@mantine/core';
import { IconFiles, IconSearchOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, type ReactElement, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ListedResource } from '@knowledge-warehouse/client';
import { isApiError } from '../../api/client.js';
import type { CountedPage } from '../../api/resources.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { ErrorState } from '../../parts/messages/error-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { formatTotal, plural } from '../../parts/format.js';
import { Announce } from '../../parts/messages/announce.js';
import { newestFirst, type Changes } from './filter.js';
import { Pager } from './pager.js';
import { ResourceTable } from './resource-table.js';
import type { Selection } from './selection.js';

interface ResourceListProps {
  readonly query: UseQueryResult<CountedPage<ListedResource>>;
  readonly cursor: string | null;
  readonly sort: string;
  readonly limit: number;
  readonly selection: Selection;
  readonly isFiltered: boolean;
  readonly add: ReactNode;
  readonly onClear: () => void;
  readonly onChange: (changes: Changes) => void;
}

/**
 * The list in any of its states. New rows are rendered in the background, because rendering a page of them on a slow
 * machine would delay typing.
 */
export function ResourceList(props: ResourceListProps): ReactElement {
  const { query, cursor, sort, limit, selection, isFiltered, add, onClear, onChange } = props;
  const data = useDeferredValue(query.data);
  const [, navigate] = useLocation();
  if (data === undefined && isApiError(query.error, 'VALIDATION_FAILED'))
    return (
      // The address has an invalid sort, filter or cursor: another try would fail too.
      <ErrorState
        error={query.error}
        retryLabel="Show all resources"
        onRetry={() => navigate('/resources')}
      />
    );
  if (data === undefined) return <LoadingState query={query} listLabel="Loading resources" />;
  const { items, next_cursor, total } = data;
  const isStale = query.isPlaceholderData || data !== query.data;
  // The shown rows may still belong to a search that was just cleared.
  const isSearch = isFiltered || isStale;
  return (
    <>
      <Announce>
        {isFiltered && !isStale
          ? `${plural(items.length, 'resource')}${next_cursor === null ? '' : ' and more'} found`
          : ''}
      </Announce>
      {items.length > 0 && (
        <>
          <ResourceTable
            resources={items}
            isStale={isStale}
            sort={sort}
            selection={selection}
            onSort={(next) => onChange({ sort: next === newestFirst ? '' : next })}
          />
          <Pager
            count={items.length}
            total={total === undefined ? null : formatTotal(total)}
            limit={limit}
            cursor={cursor}
            nextCursor={next_cursor}
            onChange={onChange}
          />
        </>
      )}
      {items.length === 0 && isSearch && (
        <EmptyState
          title="Nothing matches"
          icon={<IconSearchOff size={26} stroke={1.6} />}
          action={
            <Button variant="default" onClick={onClear}>
              Clear search and filters
            </Button>
          }
        >
          No resource matches. Try fewer filters or another part of the name.
        </EmptyState>
      )}
      {items.length === 0 && !isSearch && cursor !== null && (
        <EmptyState
          title="This page is empty"
          action={<Button onClick={() => onChange({ cursor: '' })}>First page</Button>}
        />
      )}
      {items.length === 0 && !isSearch && cursor === null && (
        <EmptyState title="No resources yet" icon={<IconFiles size={26} stroke={1.6} />} action={add}>
          Add files or URLs, or drop files anywhere on this page. Each goes through the pipeline for its type.
        </EmptyState>
      )}
    </>
  );
}
