import { IconArrowRight } from '@tabler/icons-react';
import { Fragment, type ReactElement } from 'react';
import type { ListedPlugin, Pipeline } from '@knowledge-warehouse/client';
import { formatDuration, plural } from '../../parts/format.js';
import { CardLink, LinkCard } from '../../parts/layout/link-card.js';
import { PluginState } from '../../parts/status/plugin-state.js';
import { Ago } from '../../parts/time.js';
import classes from './pipeline-card.module.css';

interface PipelineCardProps {
  readonly pipeline: Pipeline;
  /** Undefined until they are known. */
  readonly plugins: readonly ListedPlugin[] | undefined;
}

export function PipelineCard({ pipeline, plugins }: PipelineCardProps): ReactElement {
  const { id, name, trigger_type, steps, updated_at } = pipeline;
  return (
    <LinkCard className={classes.card}>
      <div className={classes.head}>
        <h2>
          <CardLink href={`/pipelines/${id}`}>
            <bdi>{name}</bdi>
          </CardLink>
        </h2>
        <span className={classes.trigger}>
          for type <strong>{trigger_type}</strong>
        </span>
        <span className={classes.changed}>
          changed <Ago at={updated_at} />
        </span>
      </div>
      <ol className={classes.steps} aria-label={`Steps of ${name}`}>
        {steps.map((step, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <li className={classes.arrow} aria-hidden>
                <IconArrowRight size={16} stroke={1.6} />
              </li>
            )}
            <li className={classes.step}>
              <span className={classes.plugin}>
                {step.plugin_id}
                <PluginState id={step.plugin_id} plugins={plugins} isQuiet />
              </span>
              <span className={classes.bounds}>
                {plural(step.max_attempts, 'attempt')} of {formatDuration(step.timeout_seconds * 1000)}
              </span>
            </li>
          </Fragment>
        ))}
      </ol>
    </LinkCard>
  );
}
