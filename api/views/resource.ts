import type { FromSchema } from 'json-schema-to-ts';
import type { Artifact } from '../../storage/artifacts.js';
import type { ListedResource, Resource } from '../../storage/resources/resources.js';
import { attemptsAllowed, type Run, type Step } from '../../storage/runs/runs.js';
import type { artifactSchema } from '../schemas/artifact.js';
import type { listedResourceSchema, resourceSchema } from '../schemas/resource.js';
import { shownRaw } from './shown-raw.js';
import type { runSchema, stepSchema } from '../schemas/run.js';

export type StepView = FromSchema<typeof stepSchema>;
export type ListedResourceView = FromSchema<typeof listedResourceSchema>;
export type ResourceView = FromSchema<typeof resourceSchema>;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Converts a resource of a list, with the parts that were requested. */
export function viewListItem({ steps, artifacts, ...resource }: ListedResource): ListedResourceView {
  return {
    ...viewListedResource(resource),
    ...(steps && { steps: steps.map(viewStep) }),
    ...(artifacts && { artifacts: artifacts.map(viewArtifact) }),
  };
}

/** Converts a resource without its steps and artifacts. */
export function viewListedResource(resource: Resource): ListedResourceView {
  return {
    id: resource.id,
    name: resource.name,
    type: resource.type,
    source_type: resource.source_type,
    source_uri: resource.source_uri,
    status: resource.status,
    no_matching_pipeline: resource.no_matching_pipeline,
    is_enabled: resource.is_enabled,
    metadata: resource.metadata as ListedResourceView['metadata'],
    run: resource.run,
    size_bytes: resource.size_bytes,
    sha256: resource.sha256,
    media_type: resource.media_type,
    error: resource.error,
    created_at: resource.created_at.toISOString(),
    updated_at: resource.updated_at.toISOString(),
    started_at: iso(resource.started_at),
    finished_at: iso(resource.finished_at),
    workflow_id: resource.workflow_id,
  };
}

/** Converts a resource with the steps of its newest run and its artifacts. */
export function viewResource(
  resource: Resource,
  steps: readonly Step[],
  artifacts: readonly Artifact[],
): ResourceView {
  return {
    ...viewListedResource(resource),
    steps: steps.map(viewStep),
    artifacts: artifacts.map(viewArtifact),
  };
}

export function viewStep(step: Step): StepView {
  return {
    index: step.index,
    plugin_id: step.plugin_id,
    status: step.status,
    attempt: step.attempt,
    max_attempts: attemptsAllowed(step),
    started_at: iso(step.started_at),
    attempt_started_at: iso(step.attempt_started_at),
    finished_at: iso(step.finished_at),
    queue_seconds: step.queue_seconds,
    run_seconds: step.run_seconds,
    progress: step.progress,
    error: step.error,
    waiting_for: step.waiting_for,
  };
}

/** Converts an artifact as part of a resource. */
export function viewArtifact(artifact: Artifact): FromSchema<typeof artifactSchema> {
  return {
    id: artifact.id,
    type: artifact.type,
    content_type: artifact.content_type,
    step_index: artifact.step_index,
    plugin_id: artifact.plugin_id,
    run: artifact.run,
    size_bytes: artifact.size_bytes,
    metadata: shownRaw(artifact.metadata),
    created_at: artifact.created_at.toISOString(),
    updated_at: artifact.updated_at.toISOString(),
  };
}

export function viewRun(run: Run, steps: readonly Step[]): FromSchema<typeof runSchema> {
  return {
    run: run.run,
    status: run.status,
    workflow_id: run.workflow_id,
    started_at: run.started_at.toISOString(),
    finished_at: iso(run.finished_at),
    error: run.error,
    steps: steps.map(viewStep),
  };
}
