/** The orders of a list of resources; a minus sign: largest, latest or last first. */
export const resourceSorts = [
  'created_at',
  '-created_at',
  'name',
  '-name',
  'updated_at',
  '-updated_at',
  'size_bytes',
  '-size_bytes',
] as const;
export type ResourceSort = (typeof resourceSorts)[number];

/** Matching resources are counted up to this many: beyond it nobody needs the figure, and counting takes time. */
export const mostCounted = 10_000;
