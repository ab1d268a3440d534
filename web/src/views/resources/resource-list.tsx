import { Button } from '@mantine/core';
import { IconFiles, IconSearchOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { ListedResource, Page } from '../../api/types.js';
import { EmptyState } from '../../parts/empty-state.js';
import { ErrorState } from '../../parts/error-state.js';
import { plural } from '../../parts/format.js';
import { ListSkeleton } from '../../parts/list-skeleton.js';
import { Announce } from '../../parts/announce.js';
import { Pager } from './pager.js';
import { ResourceTable } from './resource-table.js';

interface ResourceListProps {
  readonly query: UseQueryResult<Page<ListedResource>>;
  readonly cursor: string | null;
  readonly isFiltered: boolean;
  readonly add: ReactNode;
  readonly onClear: () => void;
  readonly onPage: (cursor: string) => void;
}

/** The list in whichever state it is. */
export function ResourceList(props: ResourceListProps): ReactElement {
  const { query, cursor, isFiltered, add, onClear, onPage } = props;
  if (query.isPending) return <ListSkeleton label="Loading resources" />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { items, next_cursor } = query.data;
  return (
    <>
      <Announce>
        {isFiltered && !query.isPlaceholderData
          ? `${plural(items.length, 'resource')}${next_cursor === null ? '' : ' and more'} found`
          : ''}
      </Announce>
      {items.length > 0 && (
        <>
          <ResourceTable resources={items} isStale={query.isPlaceholderData} />
          <Pager count={items.length} cursor={cursor} nextCursor={next_cursor} onPage={onPage} />
        </>
      )}
      {items.length === 0 && isFiltered && (
        <EmptyState
          title="Nothing matches"
          icon={<IconSearchOff size={26} stroke={1.6} />}
          action={
            <Button variant="default" onClick={onClear}>
              Clear search and filters
            </Button>
          }
        >
          No resource has all of this. Try fewer filters, or another part of the name.
        </EmptyState>
      )}
      {items.length === 0 && !isFiltered && cursor !== null && (
        <EmptyState title="No older resources" action={<Button onClick={onClear}>To the newest</Button>} />
      )}
      {items.length === 0 && !isFiltered && cursor === null && (
        <EmptyState title="No resources yet" icon={<IconFiles size={26} stroke={1.6} />} action={add}>
          Add files or URLs, or drop files anywhere on this page. Each goes through the pipeline that has its
          type.
        </EmptyState>
      )}
    </>
  );
}
