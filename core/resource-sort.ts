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

/** The most resources that are counted; counting more takes long and helps no one. */
export const mostCounted = 10_000;
