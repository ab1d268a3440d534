import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { isApiError } from '../../api/client.js';
import classes from './in-use.module.css';

interface User {
  readonly id: string;
  readonly name: string;
}

/** Lists the users of a plugin that could not be deleted, each with a link. */
export function InUse({ error }: { readonly error: Error | null }): ReactElement | null {
  if (!isApiError(error, 'PLUGIN_IN_USE')) return null;
  const { pipelines = [], resources = [] } = error.details as {
    readonly pipelines?: readonly User[];
    readonly resources?: readonly User[];
  };
  return (
    <ul className={classes.list} aria-label="Used by">
      {pipelines.map(({ id, name }) => (
        <li key={id}>
          Pipeline{' '}
          <Link href={`/pipelines/${id}`} dir="auto">
            {name}
          </Link>
          : take the plugin out of it, or delete it.
        </li>
      ))}
      {resources.map(({ id, name }) => (
        <li key={id}>
          Resource{' '}
          <Link href={`/resources/${id}`} dir="auto">
            {name}
          </Link>
          : wait for its run, or cancel it.
        </li>
      ))}
    </ul>
  );
}
