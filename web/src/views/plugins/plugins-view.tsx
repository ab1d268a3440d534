import { useDisclosure } from '@mantine/hooks';
import { IconPlug, IconPlus } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { ListedPlugin } from '@knowledge-warehouse/client';
import { basePath } from '../../base-path.js';
import { usePlugin, usePlugins } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { CardLink, LinkCard } from '../../parts/layout/link-card.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { useNow } from '../../parts/now.js';
import { HealthNote } from '../../parts/status/health-note.js';
import { healthOf } from '../../parts/status/plugin-health.js';
import { RegisterDialog } from './register-dialog.js';
import classes from './plugins-view.module.css';

/** All plugins with their health. */
export default function PluginsView(): ReactElement {
  const plugins = usePlugins();
  const [isOpen, dialog] = useDisclosure(false);
  const register = (
    <AllowedButton scope="admin" leftSection={<IconPlus size={17} aria-hidden />} onClick={dialog.open}>
      Register HTTP plugin
    </AllowedButton>
  );
  const sorted = plugins.data?.toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <>
      <PageHeader
        title="Plugins"
        description={
          <>
            Plugins run the steps of pipelines. Temporal workers register themselves; you can register HTTP
            workers here. The <a href={`${basePath}/docs`}>REST API documentation</a> describes both.
          </>
        }
        actions={register}
      />
      {plugins.data === undefined && <LoadingState query={plugins} listLabel="Loading plugins" />}
      {sorted?.length === 0 && (
        <EmptyState title="No plugins" icon={<IconPlug size={26} stroke={1.6} />} action={register}>
          Built-in plugins register themselves when a worker starts. Run “kw worker”, or register your own.
        </EmptyState>
      )}
      <ul className={classes.grid}>
        {sorted?.map((plugin) => (
          <PluginCard key={plugin.id} plugin={plugin} />
        ))}
      </ul>
      {isOpen && <RegisterDialog onClose={dialog.close} />}
    </>
  );
}

/** One plugin. Its pollers are loaded separately, because the list does not have them. */
function PluginCard({ plugin }: { readonly plugin: ListedPlugin }): ReactElement {
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
