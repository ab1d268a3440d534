import { useMutation } from '@tanstack/react-query';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { fileNameOf, openContent } from '../../../api/contents.js';
import { showProblem } from '../../../parts/messages/notices.js';

/** Downloads the stored content of an artifact as a file, and shows an error if that fails. */
export function useSave(
  resource: Resource,
  artifact: Artifact,
): { readonly save: () => void; readonly isSaving: boolean } {
  const { mutate, isPending } = useMutation({
    async mutationFn() {
      const content = await openContent(resource.id, artifact.id);
      saveAs(await content.blob(), fileNameOf(resource, artifact));
    },
    onError: showProblem,
  });
  return { save: () => mutate(), isSaving: isPending };
}

function saveAs(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName.replace(/[\\/:*?"<>|]/g, '_');
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
