import type { ReactElement } from 'react';
import { usePlugin } from '../../api/plugins.js';
import type { ListedPlugin } from '@knowledge-warehouse/client';
import { HealthNote } from '../../parts/status/health-note.js';
import { CardLink, LinkCard } from '../../parts/layout/link-card.js';
import { useNow } from '../../parts/now.js';
import { healthOf } from '../../parts/status/plugin-health.js';
import classes from './plugins-view.module.css';

/** One plugin. Its pollers are loaded separately, because the list does not have them. */
export function PluginCard({ plugin }: { readonly plugin: ListedPlugin }): ReactElement {
  const { data } = usePlugin(plugin.id);
  const now = useNow();
  const { id, name, description, kind, version, built_in, is_active } = plugin;
  return (
    <LinkCard className={classes.card} isInactive={!is_active}>
      <div className={classes.head}>
        <h2>
          <CardLink href={`/plugins/${id}`}>
            <bdi>{name}</bdi>
          </CardLink>
        </h2>
        <code className={classes.id}>{id}</code>
      </div>
      {description !== '' && <p className={classes.description}>{description}</p>}
      <div className={classes.foot}>
        <HealthNote health={healthOf({ ...plugin, pollers: data?.value.pollers }, now)} />
        <span className="dim small">
          {built_in ? 'Built in' : kind === 'http' ? 'HTTP' : 'Temporal'}
          {version === '' ? '' : ` · ${version}`}
        </span>
      </div>
    </LinkCard>
  );
}
