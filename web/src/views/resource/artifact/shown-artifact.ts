import type { Artifact, Resource } from '@knowledge-warehouse/client';

/** An artifact that is shown, and the way to others of its resource. */
export interface ShownArtifact {
  readonly resource: Resource;
  readonly artifact: Artifact;
  /** The chunk or the row that the address names, from 0; null: none. */
  readonly at: number | null;
  /** Shows an artifact, at a chunk or a row. */
  readonly onShow: (artifactId: string, at?: number) => void;
}

/** Bytes. What is larger is loaded when it is asked for: the browser holds it several times over. */
export const largestUnasked = 20_000_000;
