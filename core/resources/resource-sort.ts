/** The sort orders of a resource list; a minus sign means descending. */
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

/** The maximum count of resources: counting more is slow and of no use. */
export const mostCounted = 10_000;
