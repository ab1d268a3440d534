import type { ReactElement } from 'react';
import type { Step } from '@knowledge-warehouse/client';
import classes from './step-progress.module.css';

/** Shows the progress that the worker reports, or just that it is working. */
export function StepProgress({ step }: { readonly step: Step }): ReactElement | null {
  const { progress, plugin_id, waiting_for } = step;
  if (progress === null && waiting_for !== null) return null;
  const fraction = progress?.fraction ?? null;
  const percent = fraction === null ? null : Math.round(fraction * 100);
  return (
    <div className={classes.progress}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={`Progress of ${plugin_id}`}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent !== null && { 'aria-valuenow': percent })}
        aria-valuetext={progress?.message ?? undefined}
      >
        <div
          className={percent === null ? classes.working : classes.fill}
          style={percent === null ? undefined : { width: `${percent}%` }}
        />
      </div>
      <p className={classes.text}>
        {[...(percent === null ? [] : [`${percent} %`]), progress?.message ?? ''].filter(Boolean).join(' · ')}
      </p>
    </div>
  );
}
