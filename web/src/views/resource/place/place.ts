import type { Span } from '../../../parts/code-points.js';
import { readMarks } from '../../../parts/place-address.js';
import type { Artifact, Resource } from '@knowledge-warehouse/client';

/** A place in a resource's text, from the URL of a search hit. */
export interface Place {
  /** Offset in the text, in code points. */
  readonly start: number;
  readonly end: number;
  /** The page of the original; null if it has no pages. */
  readonly page: number | null;
  /** The run that created the text. */
  readonly run: number;
  /** The words found, in code points from `start`; empty if the URL has none. */
  readonly marks: readonly Span[];
}

/** The URL parameters of a place. */
export const placeNames = ['start', 'end', 'page', 'run', 'chunk', 'marks'] as const;

/** Reads the place in a URL, or null. */
export function readPlace(parameters: URLSearchParams, newestRun: number): Place | null {
  const number = (name: string): number | null => {
    const value = parameters.get(name);
    return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : null;
  };
  const [start, end] = [number('start'), number('end')];
  if (start === null || end === null || end <= start) return null;
  const marks = readMarks(parameters).filter((mark) => mark.end <= end - start);
  return { start, end, page: number('page'), run: number('run') ?? newestRun, marks };
}

/** Returns the artifact that places refer to: the text that the chunks were cut from; without chunks, the last text. */
export function textOf({ artifacts }: Pick<Resource, 'artifacts'>): Artifact | null {
  const chunks = artifacts.findLast(({ type, content_type }) => type === 'chunks' && content_type === 'json');
  const lastStep = chunks?.step_index ?? Infinity;
  const text = artifacts.findLast(
    ({ type, content_type, step_index }) =>
      type === 'text' && content_type === 'text' && step_index <= lastStep,
  );
  return text ?? null;
}
