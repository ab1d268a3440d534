import { Button } from '@mantine/core';
import { IconArrowRight, IconPlus, IconRoute } from '@tabler/icons-react';
import { Fragment, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { ListedPlugin, Pipeline } from '@knowledge-warehouse/client';
import { usePipelines } from '../../api/pipelines.js';
import { usePlugins } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { formatDuration, plural } from '../../parts/format.js';
import { CardLink, LinkCard } from '../../parts/layout/link-card.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { PluginState } from '../../parts/status/plugin-state.js';
import { Ago } from '../../parts/time.js';
import classes from './pipelines-view.module.css';

/** All pipelines, each with the plugins that its resources go through. */
export default function PipelinesView(): ReactElement {
  const pipelines = usePipelines();
  const { data: plugins } = usePlugins();
  const [, navigate] = useLocation();
  const add = (
    <AllowedButton
      scope="admin"
      leftSection={<IconPlus size={17} aria-hidden />}
      onClick={() => navigate('/pipelines/new')}
    >
      New pipeline
    </AllowedButton>
  );
  return (
    <>
      <PageHeader
        title="Pipelines"
        description="The plugins that process the resources of a type, in order."
        actions={add}
      />
      {pipelines.data === undefined && <LoadingState query={pipelines} listLabel="Loading pipelines" />}
      {pipelines.data?.length === 0 && (
        <EmptyState
          title="No pipelines yet"
          icon={<IconRoute size={26} stroke={1.6} />}
          action={
            <>
              {add}
              <Button variant="default" onClick={() => navigate('/plugins')}>
                See the plugins
              </Button>
            </>
          }
        >
          A pipeline says which plugins process the resources of a type. Without one, resources stay pending.
        </EmptyState>
      )}
      <ul className={classes.list}>
        {pipelines.data?.map((pipeline) => (
          <PipelineCard key={pipeline.id} pipeline={pipeline} plugins={plugins} />
        ))}
      </ul>
    </>
  );
}

interface PipelineCardProps {
  readonly pipeline: Pipeline;
  /** Undefined until they are known. */
  readonly plugins: readonly ListedPlugin[] | undefined;
}

function PipelineCard({ pipeline, plugins }: PipelineCardProps): ReactElement {
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
          for type{' '}
          <strong>
            <bdi>{trigger_type}</bdi>
          </strong>
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
