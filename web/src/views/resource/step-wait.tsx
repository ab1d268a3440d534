import { IconHourglass } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Step } from '@knowledge-warehouse/client';
import { formatDuration } from '../../parts/format.js';
import { useNow } from '../../parts/now.js';
import classes from './step-wait.module.css';

type Waiting = NonNullable<Step['waiting_for']>;

const titles: Readonly<Record<Waiting['kind'], string>> = {
  worker: 'Waiting for a worker.',
  callback: 'Waiting for the worker to report.',
  retry: 'Waiting for the next attempt.',
  fetch: 'Waiting for the source to be fetched.',
  room: 'Waiting for a free slot.',
  paused: 'Paused by an operator.',
  workflow: 'The workflow of the run makes no progress.',
};

/** Shows why a step is waiting, and until when. */
export function StepWait({ waiting }: { readonly waiting: Waiting }): ReactElement {
  const { kind, until, message } = waiting;
  return (
    <p className={classes.wait}>
      <IconHourglass size={15} stroke={1.8} aria-hidden className={classes.icon} />
      <span>
        <strong>{titles[kind]}</strong> <bdi>{message}</bdi> {until !== null && <Until at={until} />}
      </span>
    </p>
  );
}

function Until({ at }: { readonly at: string }): ReactElement {
  const left = Date.parse(at) - useNow('quick');
  const time = new Date(at).toLocaleTimeString('en', { timeStyle: 'medium' });
  return (
    <time dateTime={at} className="tabular">
      {left > 0
        ? `Until ${time}, ${formatDuration(Math.round(left / 1000) * 1000)} from now.`
        : `Until ${time}.`}
    </time>
  );
}
