import { IconAlertTriangle, IconCircleCheck, IconCircleOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { ListedPlugin } from '@knowledge-warehouse/client';
import classes from './plugin-state.module.css';

interface PluginStateProps {
  readonly id: string;
  /** Undefined until they are known. */
  readonly plugins: readonly ListedPlugin[] | undefined;
  /** Shows nothing if nothing is wrong. */
  readonly isQuiet?: boolean;
}

/** Shows whether a step's plugin is available. */
export function PluginState({ id, plugins, isQuiet = false }: PluginStateProps): ReactElement | null {
  if (plugins === undefined || id === '') return null;
  const plugin = plugins.find((known) => known.id === id);
  if (plugin === undefined) {
    return (
      <span className={classes.state} data-tone="red" title="No plugin with this id is registered">
        <IconAlertTriangle size={14} aria-hidden /> not registered
      </span>
    );
  }
  if (!plugin.is_active) {
    return (
      <span className={classes.state} data-tone="amber" title="Steps of an inactive plugin fail">
        <IconCircleOff size={14} aria-hidden /> inactive
      </span>
    );
  }
  return isQuiet ? null : (
    <span className={classes.state} data-tone="green">
      <IconCircleCheck size={14} aria-hidden /> active
    </span>
  );
}
