import type { ReactElement } from 'react';
import type { ArtifactContent } from '@knowledge-warehouse/client';
import { ChunksContent } from './chunks/chunks-content.js';
import { JsonContent } from './text/json-content.js';
import { readChunks } from './chunks/read-chunks.js';
import type { ShownArtifact } from './shown-artifact.js';
import { TextContent } from './text/text-content.js';

interface ArtifactContentProps {
  readonly shown: ShownArtifact;
  readonly content: ArtifactContent;
}

/** Shows a text or JSON in its most readable form. */
export function ArtifactContentView({ shown, content }: ArtifactContentProps): ReactElement {
  if (content.content_type === 'text') return <TextContent shown={shown} text={content.content} />;
  const chunks = readChunks(content.type, content.content);
  return chunks === null ? (
    <JsonContent shown={shown} value={content.content} />
  ) : (
    <ChunksContent shown={shown} chunks={chunks} value={content.content} />
  );
}
