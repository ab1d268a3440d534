import type { ReactElement } from 'react';
import { useDeletePlugin } from '../../api/plugins.js';
import type { Plugin } from '@knowledge-warehouse/client';
import { DeleteButton } from '../../parts/actions/delete-button.js';
import { InUse } from './in-use.js';

interface DeletePluginProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
}

export function DeletePlugin({ plugin, etag }: DeletePluginProps): ReactElement {
  const remove = useDeletePlugin(plugin.id);
  return (
    <DeleteButton
      title="Delete this plugin?"
      name={plugin.name}
      etag={etag}
      remove={remove}
      leadsTo="/plugins"
      remedy={<InUse error={remove.error} />}
    >
      <p>
        This deletes{' '}
        <bdi>
          <strong>{plugin.name}</strong>
        </bdi>{' '}
        and its config.
        {plugin.built_in
          ? ' It comes with the service and returns at the next start, with an empty config.'
          : ''}
      </p>
    </DeleteButton>
  );
}
