import type { SearchHit } from '@knowledge-warehouse/client';

/** Where in its document a chunk is: the headings above it, then its pages. Empty when neither is known. */
export function placeOf({ headings, page_start, page_end }: SearchHit['chunk']): string {
  const parts = [...headings];
  if (page_start !== null)
    parts.push(
      page_end === null || page_end === page_start ? `page ${page_start}` : `pages ${page_start}–${page_end}`,
    );
  return parts.join(' › ');
}
