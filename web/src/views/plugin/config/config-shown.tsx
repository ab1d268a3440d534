import type { ReactElement } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import { Card } from '../../../parts/layout/card.js';
import { JsonTree } from '../../../parts/json-tree/json-tree.js';
import { useRefusal } from '../../../parts/actions/permission.js';
import classes from './config-editor.module.css';

/** The config for users who may not change it. The service omits secrets for them. */
export function ConfigShown({ plugin }: { readonly plugin: Plugin }): ReactElement {
  const refusal = useRefusal('admin');
  return (
    <Card heading="Config">
      <p className="dim small">{refusal} Secrets are left out.</p>
      {Object.keys(plugin.config).length === 0 ? (
        <p className={classes.body}>Nothing is set.</p>
      ) : (
        <JsonTree value={plugin.config} label="Config" className={classes.tree} />
      )}
    </Card>
  );
}
