import type { ReactElement } from 'react';
import type { ListedPlugin } from '@knowledge-warehouse/client';
import { Link } from 'wouter';
import { PluginState } from '../../parts/status/plugin-state.js';
import { boundNames, bounds, type DraftStep } from './draft.js';
import type { StepFlow as Flow } from './flow.js';
import { StepFlow } from './step-flow.js';
import classes from './step-list.module.css';

interface StepShownProps {
  readonly step: DraftStep;
  readonly number: number;
  readonly plugins: readonly ListedPlugin[] | undefined;
  readonly flow: Flow | null;
}

/** A step for users who may not change it. */
export function StepShown({ step, number, plugins, flow }: StepShownProps): ReactElement {
  return (
    <div className={classes.shown} role="group" aria-label={`Step ${number}`}>
      <p className={classes.state}>
        <strong>
          {number}. <Link href={`/plugins/${step.plugin_id}`}>{step.plugin_id}</Link>
        </strong>
        <PluginState id={step.plugin_id} plugins={plugins} />
      </p>
      <p className="dim small">
        {boundNames
          .map((name) => {
            const { label, unit, usual } = bounds[name];
            const value = step[name] === '' ? usual : step[name];
            return `${label}: ${value.toLocaleString('en')}${unit === '' ? '' : ` ${unit}`}`;
          })
          .join(' · ')}
      </p>
      <StepFlow flow={flow} />
    </div>
  );
}
