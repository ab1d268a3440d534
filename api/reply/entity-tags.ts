import { entityTag, entityTags } from '../../core/secrets/entity-tag.js';
import type { RawJson } from '../../core/json/raw-json.js';
import { listArtifacts, type Artifact } from '../../storage/artifacts.js';
import type { Db } from '../../storage/database/connection.js';
import { lockPipeline, type Pipeline } from '../../storage/pipelines/pipelines.js';
import { lockPlugin, readRawConfig, type Plugin } from '../../storage/pipelines/plugins.js';
import { lockResource, type Resource } from '../../storage/resources/resources.js';
import { listSteps, type Step } from '../../storage/runs/runs.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../lookups/found.js';
import { viewPipeline } from '../views/pipeline.js';
import { viewListedPlugin } from '../views/plugin.js';
import { viewArtifact, viewListedResource } from '../views/resource.js';

type Secrets = { readonly config: Pick<ApiDeps['config'], 'secrets'> };

/** Returns a tag over what people edit and what a run settles, but not the progress of unsettled steps. */
export function resourceTag(
  { config }: Secrets,
  resource: Resource,
  steps: readonly Step[],
  artifacts: readonly Artifact[],
): string {
  return entityTag(config.secrets, taggedResource(resource, steps, artifacts));
}

/** Returns a tag over the whole pipeline. */
export function pipelineTag({ config }: Secrets, pipeline: Pipeline): string {
  return entityTag(config.secrets, viewPipeline(pipeline));
}

/**
 * Returns a tag over the whole config, including what this caller may not see, so that everyone gets the same tag.
 * Excludes the times at which its worker was seen or re-registered.
 */
export function pluginTag({ config }: Secrets, plugin: Plugin, pluginConfig: RawJson): string {
  return entityTag(config.secrets, taggedPlugin(plugin, pluginConfig));
}

/** Locks a resource until the transaction ends and returns its tags, one per secret. Throws NOT_FOUND. */
export async function lockedResourceTag(
  { config }: Secrets,
  trx: Db,
  id: string,
): Promise<readonly string[]> {
  const resource = found(await lockResource(trx, id), 'resource', id);
  const steps = await listSteps(trx, id, resource.run);
  return entityTags(config.secrets, taggedResource(resource, steps, await listArtifacts(trx, id)));
}

/** Locks a pipeline until the transaction ends and returns its tags. Throws NOT_FOUND. */
export async function lockedPipelineTag(
  { config }: Secrets,
  trx: Db,
  id: string,
): Promise<readonly string[]> {
  return entityTags(config.secrets, viewPipeline(found(await lockPipeline(trx, id), 'pipeline', id)));
}

/** Locks a plugin until the transaction ends and returns its tags. Throws NOT_FOUND. */
export async function lockedPluginTag({ config }: Secrets, trx: Db, id: string): Promise<readonly string[]> {
  const plugin = found(await lockPlugin(trx, id), 'plugin', id);
  const pluginConfig = found(await readRawConfig(trx, config.secrets, id), 'plugin', id);
  return entityTags(config.secrets, taggedPlugin(plugin, pluginConfig));
}

function taggedResource(resource: Resource, steps: readonly Step[], artifacts: readonly Artifact[]): unknown {
  return [viewListedResource(resource), steps.map(settledPart), artifacts.map(viewArtifact)];
}

function settledPart({ plugin_id, status, error, started_at, finished_at }: Step): readonly unknown[] {
  const isSettled = finished_at !== null;
  return isSettled ? [plugin_id, status, error, started_at, finished_at] : [plugin_id];
}

function taggedPlugin(plugin: Plugin, pluginConfig: RawJson): unknown {
  const { last_seen_at: _seen, updated_at: _updated, ...rest } = viewListedPlugin(plugin);
  return [rest, pluginConfig];
}
