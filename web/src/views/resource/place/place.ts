import type { Artifact, Resource } from '@knowledge-warehouse/client';

/** A place in a resource's text, as a link from a search names it. */
export interface Place {
  /** Code points of the text, from its start. */
  readonly start: number;
  readonly end: number;
  /** Of the original; null where it has no pages. */
  readonly page: number | null;
  /** The run whose text it is a place of. */
  readonly run: number;
}

/** The parameters of an address that name a place. */
export const placeNames = ['start', 'end', 'page', 'run', 'chunk'] as const;

/** The place that an address names, or null. */
export function readPlace(parameters: URLSearchParams, newestRun: number): Place | null {
  const number = (name: string): number | null => {
    const value = parameters.get(name);
    return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : null;
  };
  const [start, end] = [number('start'), number('end')];
  if (start === null || end === null || end <= start) return null;
  return { start, end, page: number('page'), run: number('run') ?? newestRun };
}

/** The artifact that places are counted in: the text that the chunks were cut from. */
export const textOf = (resource: Resource): Artifact | null =>
  resource.artifacts.find(({ type, content_type }) => type === 'text' && content_type === 'text') ?? null;
