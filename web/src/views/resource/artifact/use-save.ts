import { useMutation } from '@tanstack/react-query';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { showProblem } from '../../../parts/messages/notices.js';
import { saveArtifact } from './save.js';

/** Downloads an artifact, and shows an error if that fails. */
export function useSave(
  resource: Resource,
  artifact: Artifact,
): { readonly save: () => void; readonly isSaving: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: () => saveArtifact(resource, artifact),
    onError: showProblem,
  });
  return { save: () => mutate(), isSaving: isPending };
}
