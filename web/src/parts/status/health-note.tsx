import { IconAlertTriangle, IconCircleCheck, IconCircleOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Health } from './plugin-health.js';
import classes from './plugin-state.module.css';

const icons = { green: IconCircleCheck, amber: IconAlertTriangle, grey: IconCircleOff } as const;

/** The health of a plugin in a few words. */
export function HealthNote({ health: { tone, text } }: { readonly health: Health }): ReactElement {
  const Icon = icons[tone];
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={15} stroke={1.9} aria-hidden />
      {text}
    </span>
  );
}
