import { Button } from '@mantine/core';
import { IconPlus, IconRoute } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { usePipelines } from '../../api/pipelines.js';
import { usePlugins } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { PipelineCard } from './pipeline-card.js';
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
