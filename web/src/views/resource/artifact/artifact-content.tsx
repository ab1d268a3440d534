import type { ReactElement } from 'react';
import type { ArtifactContent } from '@knowledge-warehouse/client';
import { ChunksContent } from './chunks-content.js';
import { JsonContent } from './json-content.js';
import { readChunks } from './read-chunks.js';
import { TextContent } from './text-content.js';
import { VectorContent } from './vector-content.js';

interface ArtifactContentProps {
  readonly content: ArtifactContent;
  /** Without its ending. */
  readonly fileName: string;
}

/** The content in the form that its kind is read in best. */
export function ArtifactContentView({ content, fileName }: ArtifactContentProps): ReactElement {
  switch (content.content_type) {
    case 'text':
      return <TextContent text={content.content} fileName={fileName} />;
    case 'json': {
      const chunks = readChunks(content.type, content.content);
      return chunks === null ? (
        <JsonContent value={content.content} fileName={fileName} />
      ) : (
        <ChunksContent chunks={chunks} value={content.content} fileName={fileName} />
      );
    }
    case 'vector':
      return <VectorContent value={content.content as number[] | number[][]} fileName={fileName} />;
  }
}
