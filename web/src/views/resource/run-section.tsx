import { NativeSelect } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Artifact, Resource, Run, Step } from '@knowledge-warehouse/client';
import { formatRelative } from '../../parts/format.js';
import { Card } from '../../parts/layout/card.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { useNow } from '../../parts/now.js';
import { looks } from '../../parts/status/status.js';
import { ArtifactChips } from './artifact-chips.js';
import { RunStep } from './run-step.js';
import classes from './run-section.module.css';

interface RunSectionProps {
  readonly resource: Resource;
  readonly runs: readonly Run[];
  /** An earlier run to show instead of the newest one. */
  readonly earlier: Run | null;
  readonly onChoose: (run: number) => void;
  readonly onArtifact: (artifact: Artifact) => void;
}

/** A run as a list of its steps with their artifacts. */
export function RunSection(props: RunSectionProps): ReactElement {
  const { resource, runs, earlier, onChoose, onArtifact } = props;
  const steps: readonly Step[] = earlier?.steps ?? resource.steps;
  const isNewest = earlier === null;
  const madeBy = (step: Step): readonly Artifact[] =>
    isNewest ? resource.artifacts.filter(({ step_index }) => step_index === step.index) : [];
  const others = isNewest
    ? resource.artifacts.filter(({ step_index }) => steps[step_index] === undefined)
    : [];
  return (
    <Card aria-labelledby="run-title">
      <div className={classes.head}>
        <h2 id="run-title">{isNewest ? 'Pipeline' : `Run ${earlier.run}, an earlier run`}</h2>
        <RunPicker
          runs={runs}
          newest={resource.run}
          chosen={earlier?.run ?? resource.run}
          onChoose={onChoose}
        />
      </div>
      {steps.length === 0 && (
        <EmptyState title="Not processed yet" icon={<IconRoute size={26} stroke={1.6} />}>
          {resource.no_matching_pipeline
            ? 'It waits for a pipeline of its type.'
            : 'A pipeline for its type now exists. Process the resource to run it.'}
        </EmptyState>
      )}
      {earlier !== null && (
        <p className={classes.note}>
          Artifacts are kept only for the newest run.{' '}
          <button type="button" className={classes.link} onClick={() => onChoose(resource.run)}>
            Show it
          </button>
        </p>
      )}
      <ol className={classes.track} aria-label="Steps">
        {steps.map((step, place) => (
          <RunStep
            key={step.index}
            resource={resource}
            step={step}
            canRunFrom={
              isNewest &&
              resource.status !== 'PROCESSING' &&
              steps.slice(0, place).every(({ status }) => status === 'COMPLETED')
            }
          >
            <ArtifactChips resource={resource} artifacts={madeBy(step)} onOpen={onArtifact} />
          </RunStep>
        ))}
      </ol>
      {others.length > 0 && (
        <div className={classes.others}>
          <h3>From steps that no longer exist</h3>
          <ArtifactChips resource={resource} artifacts={others} onOpen={onArtifact} />
        </div>
      )}
    </Card>
  );
}

interface RunPickerProps {
  readonly runs: readonly Run[];
  readonly newest: number;
  readonly chosen: number;
  readonly onChoose: (run: number) => void;
}

/** Selects a previous run. Renders nothing if there is only one run. */
function RunPicker({ runs, newest, chosen, onChoose }: RunPickerProps): ReactElement | null {
  const now = useNow();
  if (runs.length < 2) return null;
  return (
    <NativeSelect
      aria-label="Run"
      size="xs"
      value={String(chosen)}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
      data={runs.map(({ run, status, started_at }) => ({
        value: String(run),
        label: `Run ${run}${run === newest ? ' (newest)' : ''} · ${looks[status].label.toLowerCase()} · ${formatRelative(new Date(started_at), now)}`,
      }))}
    />
  );
}
