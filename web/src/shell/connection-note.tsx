import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useConnection } from '../live/live.js';
import type { Connection } from '../live/events.js';
import classes from './connection-note.module.css';

const notes: Readonly<Record<Connection['state'], { readonly short: string; readonly long: string }>> = {
  connecting: { short: 'Connecting …', long: 'Connecting to live updates.' },
  open: { short: 'Live', long: 'Changes appear as they happen.' },
  paused: {
    short: 'Updates paused',
    long: 'Live updates paused, reconnecting. The page may be out of date.',
  },
};

/** Shows discreetly whether live updates are working. */
export function ConnectionNote(): ReactElement {
  const { state } = useConnection();
  const { short, long } = notes[state];
  return (
    <Tooltip label={long} position="right">
      <p className={classes.note} data-connection={state} role="status">
        <span className={classes.dot} aria-hidden />
        <span>{short}</span>
      </p>
    </Tooltip>
  );
}
