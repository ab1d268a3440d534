import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Need, StepFlow as Flow } from './flow.js';
import classes from './step-flow.module.css';

/** What a step reads and produces, and which of its inputs no earlier step produces. */
export function StepFlow({ flow }: { readonly flow: Flow | null }): ReactElement | null {
  if (flow === null) return null;
  const { reads, produces } = flow;
  const missing = reads?.filter(({ from }) => from === null) ?? [];
  return (
    <div className={classes.flow}>
      <dl className={classes.facts}>
        <div>
          <dt>Reads</dt>
          <dd>{reads === null ? 'not declared' : reads.length === 0 ? 'the source' : listNeeds(reads)}</dd>
        </div>
        <div>
          <dt>Produces</dt>
          <dd>{produces.length === 0 ? 'nothing declared' : produces.join(', ')}</dd>
        </div>
      </dl>
      <div role="status">
        {missing.map((need) => (
          <p key={need.type} className={classes.missing}>
            <IconAlertTriangle size={15} aria-hidden />
            <span>
              No earlier step produces “{need.type}”, which this step needs.
              {need.later !== null && ` Step ${need.later + 1} does: move it before this one.`}
            </span>
          </p>
        ))}
      </div>
    </div>
  );
}

const listNeeds = (needs: readonly Need[]): string =>
  needs.map(({ type, from }) => (from === null ? type : `${type} of step ${from + 1}`)).join(', ');
