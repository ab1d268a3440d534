import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useSearchHits } from '../../api/search.js';
import { Announce } from '../../parts/messages/announce.js';
import { ListSkeleton } from '../../parts/layout/list-skeleton.js';
import { Notice } from '../../parts/messages/notice.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { useSearchAddress } from './address.js';
import { HitList } from './hit-list.js';
import { useFocusOnNew } from './hits.js';
import { noVector } from './no-vector.js';
import { NothingFound } from './nothing-found.js';
import { SearchError } from './search-error.js';
import { describeFound } from './search-query.js';
import { SearchTips } from './search-tips.js';
import { SearchTools } from './search-tools.js';

/** The hits, best first, and the filters. */
export default function SearchView(): ReactElement {
  const { query, search, setMode, add, remove, clearFilters, resize } = useSearchAddress();
  const hits = useSearchHits(query);
  const focusOnNew = useFocusOnNew(hits);
  const items = hits.data?.items ?? [];
  const { summary, more } = describeFound(hits.data?.search ?? query, items);
  return (
    <>
      <PageHeader
        title={query.q === '' ? 'Search' : `Search: ${query.q}`}
        description={hits.data !== undefined && query.q !== '' ? summary : undefined}
      />
      {query.q === '' ? (
        <SearchTips />
      ) : (
        <>
          <SearchTools query={query} onMode={setMode} onAdd={add} onRemove={remove} />
          {hits.data?.fallback && (
            <Notice tone="amber" title="Searched by words only">
              {noVector[hits.data.fallback.reason].text}
            </Notice>
          )}
          {hits.isPending && <ListSkeleton label="Searching" />}
          {hits.isError && hits.data === undefined && (
            <SearchError
              error={hits.error}
              onRetry={() => void hits.refetch()}
              onWords={() => setMode('text')}
            />
          )}
          <Announce>{hits.data !== undefined && !hits.isPlaceholderData ? summary : ''}</Announce>
          {items.length > 0 && (
            <HitList hits={items} search={search} isStale={hits.isPlaceholderData} onFilter={add} />
          )}
          {hits.data !== undefined && items.length === 0 && (
            <NothingFound q={query.q} isFiltered={query.filters.length > 0} onClearFilters={clearFilters} />
          )}
          {more !== null && (
            <Button
              variant="default"
              mt="md"
              onClick={() => {
                // The button vanishes.
                focusOnNew();
                resize(more);
              }}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </>
  );
}
