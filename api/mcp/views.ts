import type { Config } from '../../runtime/settings/config.js';
import type { Artifact } from '../../storage/artifacts.js';
import type { Resource } from '../../storage/resources/resources.js';
import type { Step } from '../../storage/runs/runs.js';
import type { getOutput, listOutput } from '../schemas/mcp.js';
import type { Schema } from '../schemas/typed.js';
import { resourceUrl } from '../reply/page-url.js';
import { textOf } from './texts/shown-texts.js';

type Of<S> = S extends Schema<infer T> ? T : never;
export type ListedView = Of<typeof listOutput>['resources'][number];
export type ResourceView = Of<typeof getOutput>;

type Public = Pick<Config, 'publicUrl'>;

/** Returns a resource as models see it in lists. */
export function viewListed(config: Public, resource: Resource): ListedView {
  const { id, name, type, status, source_type, source_uri, metadata, created_at, updated_at } = resource;
  return {
    id,
    title: name,
    url: resourceUrl(config, id),
    type,
    status,
    source_type,
    source_uri,
    metadata: { ...metadata },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** Returns a single resource as shown to models: its progress and what it waits for. */
export function viewWhole(
  config: Public,
  resource: Resource,
  steps: readonly Step[],
  artifacts: readonly Artifact[],
): ResourceView {
  const { error, finished_at } = resource;
  return {
    ...viewListed(config, resource),
    waits_for: waitsFor(resource, steps),
    error: error === null ? null : { code: error.code, message: error.message },
    has_text: textOf(artifacts) !== null,
    steps: steps.map(({ plugin_id, status, attempt, progress }) => ({
      plugin_id,
      status,
      attempt,
      progress: progress?.fraction ?? null,
    })),
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** Returns what blocks a resource, in one sentence. */
function waitsFor({ status, type, no_matching_pipeline }: Resource, steps: readonly Step[]): string | null {
  if (status === 'PENDING' && no_matching_pipeline)
    return `No pipeline takes resources of the type ${type}. An operator can add one and then reprocess the resource.`;
  if (status === 'PENDING') return 'A pipeline for its type exists now: reprocess the resource.';
  if (status !== 'PROCESSING') return null;
  const waiting = steps.find(({ waiting_for }) => waiting_for !== null)?.waiting_for;
  if (waiting == null) return null;
  return waiting.until === null ? waiting.message : `${waiting.message} It waits until ${waiting.until}.`;
}
