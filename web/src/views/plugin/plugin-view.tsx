import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import type { Tagged } from '../../api/client.js';
import { usePlugin } from '../../api/plugins.js';
import { BackLink } from '../../parts/layout/back-link.js';
import { Columns } from '../../parts/layout/columns.js';
import { DeletedState } from '../../parts/messages/deleted-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { HealthNote } from '../../parts/status/health-note.js';
import { useNow } from '../../parts/now.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { healthOf } from '../../parts/status/plugin-health.js';
import { ConfigEditor } from './config/config-editor.js';
import { ConfigShown } from './config/config-shown.js';
import { DeletePlugin } from './delete-plugin.js';
import { EditPlugin } from './edit-plugin.js';
import { PluginFacts } from './plugin-facts.js';
import { RenewSecret } from './renew-secret.js';
import { TogglePlugin } from './toggle-plugin.js';
import { Notice } from '../../parts/messages/notice.js';

/** One plugin: its health, its config, and whether it is active. */
export default function PluginView({ id }: { readonly id: string }): ReactElement {
  const query = usePlugin(id);
  const now = useNow();
  const isForbidden = useRefusal('admin') !== null;
  if (query.data === undefined) return <LoadingState query={query} isWholeView />;
  const { value: plugin, etag, isDeleted } = query.data;
  if (isDeleted === true) return <DeletedState kind="plugin" name={plugin.name} list="plugins" />;
  const health = healthOf(plugin, now);
  const reload = async (act: (current: Tagged<Plugin>) => void): Promise<void> => {
    const { data } = await query.refetch();
    if (data !== undefined && data.isDeleted !== true) act(data);
  };
  return (
    <>
      <PageHeader
        title={plugin.name}
        back={<BackLink to="/plugins">Plugins</BackLink>}
        state={<HealthNote health={health} />}
        description={plugin.description === '' ? undefined : <bdi>{plugin.description}</bdi>}
        actions={
          <>
            <EditPlugin plugin={plugin} etag={etag} onReload={reload} />
            <TogglePlugin plugin={plugin} etag={etag} />
            {plugin.kind === 'http' && <RenewSecret id={id} />}
            <DeletePlugin plugin={plugin} etag={etag} />
          </>
        }
      />
      <Columns aside={<PluginFacts plugin={plugin} />} asideWidth={320}>
        {health.advice !== undefined && (
          <Notice tone="amber" icon={<IconAlertTriangle size={19} />} title={health.text}>
            {health.advice}
          </Notice>
        )}
        {isForbidden ? (
          <ConfigShown plugin={plugin} />
        ) : (
          <ConfigEditor plugin={plugin} etag={etag} onReload={reload} />
        )}
      </Columns>
    </>
  );
}
