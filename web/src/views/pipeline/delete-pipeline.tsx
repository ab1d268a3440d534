import type { ReactElement } from 'react';
import { isApiError } from '../../api/client.js';
import { useDeletePipeline } from '../../api/pipelines.js';
import { DeleteButton } from '../../parts/actions/delete-button.js';

interface DeletePipelineProps {
  readonly id: string;
  readonly name: string;
  readonly triggerType: string;
  readonly etag: string | null;
}

export function DeletePipeline({ id, name, triggerType, etag }: DeletePipelineProps): ReactElement {
  const remove = useDeletePipeline(id);
  return (
    <DeleteButton
      title="Delete this pipeline?"
      name={name}
      etag={etag}
      remove={remove}
      leadsTo="/pipelines"
      remedy={
        isApiError(remove.error, 'PRECONDITION_FAILED') && (
          <p>Close this dialog and load their version before you delete it.</p>
        )
      }
    >
      <p>
        Active runs continue. New resources of the type <strong>{triggerType}</strong> stay pending until the
        type has another pipeline.
      </p>
    </DeleteButton>
  );
}
