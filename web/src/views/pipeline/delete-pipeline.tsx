import type { ReactElement } from 'react';
import { useDeletePipeline } from '../../api/pipelines.js';
import { DeleteButton } from '../../parts/delete-button.js';

interface DeletePipelineProps {
  readonly id: string;
  readonly name: string;
  readonly triggerType: string;
  readonly etag: string | null;
}

export function DeletePipeline({ id, name, triggerType, etag }: DeletePipelineProps): ReactElement {
  const remove = useDeletePipeline(id);
  return (
    <DeleteButton title="Delete this pipeline?" name={name} etag={etag} remove={remove} leadsTo="/pipelines">
      <p>
        Resources in flight go on to their end. New ones of the type <strong>{triggerType}</strong> stay
        pending until it has another pipeline.
      </p>
    </DeleteButton>
  );
}
