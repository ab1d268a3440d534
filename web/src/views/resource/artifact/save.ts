import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { fileNameOf, openContent } from '../../../api/contents.js';
import { download } from './download.js';

/** Downloads the stored content of an artifact as a file. */
export async function saveArtifact(resource: Resource, artifact: Artifact): Promise<void> {
  const content = await (await openContent(resource.id, artifact.id)).blob();
  download(content, fileNameOf(resource, artifact));
}
