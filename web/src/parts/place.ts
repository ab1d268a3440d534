interface Place {
  readonly headings: readonly string[];
  readonly page_start: number | null;
  readonly page_end: number | null;
}

/** Describes the place of a chunk in its document: the headings above it, then its pages. Empty if both are unknown. */
export function describePlace({ headings, page_start, page_end }: Place): string {
  const parts = [...headings];
  if (page_start !== null)
    parts.push(
      page_end === null || page_end === page_start ? `page ${page_start}` : `pages ${page_start}–${page_end}`,
    );
  return parts.join(' › ');
}
