import { use } from 'react';
import { newId } from '../../api/new-id.js';
import { useChangeResource, type ResourceChange } from '../../api/resources.js';
import type { ListedResource } from '@knowledge-warehouse/client';
import { quoted } from '../format.js';
import { showDone, showProblem } from '../messages/notices.js';
import type { ActionName } from './actions.js';
import { OpenResourceDialog } from './resource-dialogs.js';

export interface ResourceActions {
  readonly carryOut: (name: ActionName) => void;
  readonly isPending: boolean;
}

/** Carries out actions on a resource; those that need input or confirmation open a dialog of `ResourceDialogs`. */
export function useResourceActions(resource: ListedResource): ResourceActions {
  const { id, name } = resource;
  const change = useChangeResource(id);
  const openDialog = use(OpenResourceDialog);

  const send = (what: ResourceChange, done: string): void =>
    change.mutate(what, { onSuccess: () => showDone(done), onError: showProblem });

  const carryOut = (action: ActionName): void => {
    switch (action) {
      case 'reprocess':
        return send(
          { kind: 'reprocess', idempotencyKey: newId() },
          `${quoted(name)} is being processed again`,
        );
      case 'resume':
        return send(
          { kind: 'reprocess', fromStep: 'failed', idempotencyKey: newId() },
          `The run of ${quoted(name)} resumes`,
        );
      case 'cancel':
        return send({ kind: 'cancel' }, `The run of ${quoted(name)} is being cancelled`);
      case 'enable':
      case 'disable':
        return send(
          { kind: 'enable', is_enabled: action === 'enable' },
          action === 'enable'
            ? `${quoted(name)} is visible to search and language models`
            : `${quoted(name)} is hidden from search and language models`,
        );
      case 'rename':
      case 'delete':
        return openDialog({ kind: action, resource });
    }
  };
  return { carryOut, isPending: change.isPending };
}
