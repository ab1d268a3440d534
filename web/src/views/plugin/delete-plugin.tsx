import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { isApiError } from '../../api/client.js';
import { useDeletePlugin } from '../../api/plugins.js';
import type { Plugin } from '@knowledge-warehouse/client';
import { DeleteButton } from '../../parts/actions/delete-button.js';
import classes from './delete-plugin.module.css';

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

interface User {
  readonly id: string;
  readonly name: string;
}

/** Lists the users of a plugin that could not be deleted, each with a link. */
function InUse({ error }: { readonly error: Error | null }): ReactElement | null {
  if (!isApiError(error, 'PLUGIN_IN_USE')) return null;
  const { pipelines = [], resources = [] } = error.details as {
    readonly pipelines?: readonly User[];
    readonly resources?: readonly User[];
  };
  return (
    <ul className={classes.users} aria-label="Used by">
      {pipelines.map(({ id, name }) => (
        <li key={id}>
          Pipeline{' '}
          <Link href={`/pipelines/${id}`} dir="auto">
            {name}
          </Link>
          : remove the plugin from this pipeline, or delete the pipeline.
        </li>
      ))}
      {resources.map(({ id, name }) => (
        <li key={id}>
          Resource{' '}
          <Link href={`/resources/${id}`} dir="auto">
            {name}
          </Link>
          : wait until its run ends, or cancel the run.
        </li>
      ))}
    </ul>
  );
}
