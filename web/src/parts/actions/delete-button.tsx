import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { AllowedButton } from './allowed-button.js';
import { Confirm } from './confirm.js';
import { quoted } from '../format.js';
import { showDone } from '../messages/notices.js';

interface DeleteButtonProps {
  /** The title of the confirmation dialog. */
  readonly title: string;
  readonly name: string;
  readonly etag: string | null;
  readonly remove: UseMutationResult<unknown, Error, string | null>;
  /** The path to open after deletion. */
  readonly leadsTo: string;
  /** Actions that resolve a refusal. */
  readonly remedy?: ReactNode;
  /** What will be lost. */
  readonly children: ReactNode;
}

/** Deletes the object of a view after confirmation, and leaves the view. */
export function DeleteButton(props: DeleteButtonProps): ReactElement {
  const { title, name, etag, remove, leadsTo, remedy, children } = props;
  const [isOpen, dialog] = useDisclosure(false);
  const [, navigate] = useLocation();
  // Unlike callbacks of `mutate`, this also runs after the deletion event has unmounted the view.
  const deleteIt = async (): Promise<void> => {
    try {
      await remove.mutateAsync(etag);
    } catch {
      return;
    }
    showDone(`${quoted(name)} was deleted`);
    navigate(leadsTo, { replace: true });
  };
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
        title={title}
        action="Delete"
        isPending={remove.isPending}
        error={remove.error}
        remedy={remedy}
        onClose={() => {
          dialog.close();
          remove.reset();
        }}
        onConfirm={() => void deleteIt()}
      >
        {children}
      </Confirm>
    </>
  );
}
