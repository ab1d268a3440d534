import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { fileNameOf, openContent } from '../../../api/contents.js';
import { download } from './download.js';

/** Hands the content of an artifact to the browser as a file, as it is stored. */
export async function saveArtifact(resource: Resource, artifact: Artifact): Promise<void> {
  const content = await (await openContent(resource.id, artifact.id)).blob();
  download(content, fileNameOf(resource, artifact));
}
