import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { ConfigWarning } from '@knowledge-warehouse/client';
import { Notice } from '../../../parts/messages/notice.js';
import classes from './config-editor.module.css';

/** Shows where a saved config does not match its plugin's schema. */
export function ConfigWarnings({
  warnings,
}: {
  readonly warnings: readonly ConfigWarning[];
}): ReactElement | null {
  if (warnings.length === 0) return null;
  return (
    <Notice
      tone="amber"
      role="status"
      icon={<IconAlertTriangle size={19} />}
      title="Saved, but it does not match the plugin’s schema"
    >
      <ul className={classes.warnings}>
        {warnings.map(({ path, message }) => (
          <li key={path + message}>
            <code>{path === '' ? 'config' : path.slice(1)}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
