import type { Artifact, Resource } from '@knowledge-warehouse/client';

/** The shown artifact, and how to show others of its resource. */
export interface ShownArtifact {
  readonly resource: Resource;
  readonly artifact: Artifact;
  /** The index of the chunk or row in the URL, from 0; null: none. */
  readonly at: number | null;
  /** Shows an artifact, at a chunk or a row if given. */
  readonly onShow: (artifactId: string, at?: number) => void;
}

/** Bytes. Larger content is loaded only on demand, because the browser holds several copies of it. */
export const largestAutoLoaded = 20_000_000;
