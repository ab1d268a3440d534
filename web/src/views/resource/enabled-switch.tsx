import { Switch } from '@mantine/core';
import type { ReactElement } from 'react';
import { useChangeResource } from '../../api/resources.js';
import type { Resource } from '@knowledge-warehouse/client';
import { showProblem } from '../../parts/messages/notices.js';
import { useRefusal } from '../../parts/actions/permission.js';

/** Switches whether search and language models see the resource. */
export function EnabledSwitch({ resource }: { readonly resource: Resource }): ReactElement {
  const change = useChangeResource(resource.id);
  const refusal = useRefusal('write');
  return (
    <Switch
      label="Visible to search and language models"
      description={refusal ?? undefined}
      size="sm"
      withThumbIndicator={false}
      checked={resource.is_enabled}
      disabled={refusal !== null || change.isPending}
      onChange={(event) =>
        change.mutate({ kind: 'enable', is_enabled: event.currentTarget.checked }, { onError: showProblem })
      }
    />
  );
}
