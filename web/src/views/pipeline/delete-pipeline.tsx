import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useDeletePipeline } from '../../api/pipelines.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { Confirm } from '../../parts/confirm.js';
import { showDone } from '../../parts/notices.js';

interface DeletePipelineProps {
  readonly id: string;
  readonly name: string;
  readonly triggerType: string;
  readonly etag: string | null;
}

export function DeletePipeline({ id, name, triggerType, etag }: DeletePipelineProps): ReactElement {
  const [isOpen, dialog] = useDisclosure(false);
  const [, navigate] = useLocation();
  const remove = useDeletePipeline(id);
  return (
    <>
      <AllowedButton
        scope="admin"
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={dialog.open}
      >
        Delete
      </AllowedButton>
      <Confirm
        opened={isOpen}
        title="Delete this pipeline?"
        action="Delete"
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => {
          dialog.close();
          remove.reset();
        }}
        onConfirm={() =>
          remove.mutate(etag, {
            onSuccess: () => {
              showDone(`“${name}” is deleted`);
              navigate('/pipelines');
            },
          })
        }
      >
        <p>
          Resources in flight go on to their end. New ones of the type <strong>{triggerType}</strong> stay
          pending until it has another pipeline.
        </p>
      </Confirm>
    </>
  );
}
