import type { QueryClient } from '@tanstack/react-query';
import { attemptKeys } from '../api/attempts.js';
import { failuresKey, operationKeys } from '../api/operations.js';
import { pipelineKeys } from '../api/pipelines.js';
import { pluginKeys } from '../api/plugins.js';
import { resourceKeys } from '../api/resources.js';
import { statisticsKey } from '../api/statistics.js';
import { systemKey } from '../api/system.js';
import type { ListedResource, Resource } from '@knowledge-warehouse/client';
import type { Page, Tagged } from '../api/client.js';
import type { LiveEvent, ResourceFields, StepFields } from './events.js';
import { patchRow } from './patch-row.js';

/** Applies the newest state of each resource in the events to the loaded rows and view. */
export function patchCaches(client: QueryClient, events: readonly LiveEvent[]): void {
  const resources = new Map<string, ResourceFields>();
  const steps = new Map<string, StepFields[]>();
  for (const { name, data } of events) {
    if (name === 'resource.updated') {
      const fields = data as unknown as ResourceFields;
      resources.set(fields.id, fields);
    } else if (name === 'step.updated') {
      const fields = data as unknown as StepFields;
      const list = steps.get(fields.resource_id);
      if (list === undefined) steps.set(fields.resource_id, [fields]);
      else list.push(fields);
    } else if (name === 'resource.deleted') markDeleted(client, data.resource_id ?? '');
  }
  const touched = new Set([...resources.keys(), ...steps.keys()]);
  if (touched.size === 0) return;
  const patch = <Row extends ListedResource>(row: Row): Row =>
    touched.has(row.id) ? patchRow(row, resources.get(row.id), steps.get(row.id) ?? []) : row;

  for (const query of client.getQueryCache().findAll({ queryKey: resourceKeys.lists })) {
    const page = query.state.data as Page<ListedResource> | undefined;
    if (page?.items.some(({ id }) => touched.has(id)) !== true) continue;
    // Not by `setQueryData`, after which the list would count as just loaded: neither outdated nor failed.
    query.setState({ data: { ...page, items: page.items.map(patch) } });
  }
  for (const id of touched) {
    client.setQueryData<Tagged<Resource>>(
      resourceKeys.one(id),
      (tagged) => tagged && { ...tagged, value: patch(tagged.value) },
    );
  }
}

/** Marks a resource as deleted, because reloading it would only fail. */
function markDeleted(client: QueryClient, id: string): void {
  client.setQueryData<Tagged<Resource>>(
    resourceKeys.one(id),
    (tagged) => tagged && { ...tagged, isDeleted: true },
  );
}

/** The keys of all that events keep up to date. */
export const liveKeys = [
  resourceKeys.lists,
  resourceKeys.every,
  resourceKeys.everyRun,
  attemptKeys.every,
  statisticsKey,
  failuresKey,
  operationKeys.list,
  pipelineKeys.all,
  pluginKeys.all,
  systemKey,
] as const;

/** Returns the query keys to reload after an event, in addition to applying its data. */
export function keysToReload({ name, data }: LiveEvent): readonly (readonly unknown[])[] {
  const { resource_id: resource = '', pipeline_id: pipeline = '', plugin_id: plugin = '' } = data;
  const { operation_id: operation = '' } = data;
  switch (name) {
    case 'reset':
      return [[]];
    case 'resource.created':
      return [resourceKeys.lists, statisticsKey];
    case 'resource.deleted':
      return [resourceKeys.lists, statisticsKey, failuresKey];
    case 'resource.updated':
      return [
        resourceKeys.lists,
        resourceKeys.one(resource),
        resourceKeys.runs(resource),
        attemptKeys.all(resource),
        statisticsKey,
        failuresKey,
      ];
    case 'step.updated':
      return [resourceKeys.one(resource), attemptKeys.all(resource)];
    case 'artifact.updated':
    case 'artifact.deleted':
      return [resourceKeys.one(resource)];
    case 'pipeline.created':
    case 'pipeline.updated':
    case 'pipeline.deleted':
      // Whether a resource has a pipeline is part of the resource.
      return [pipelineKeys.list, pipelineKeys.one(pipeline), resourceKeys.lists, resourceKeys.every];
    case 'plugin.created':
    case 'plugin.updated':
    case 'plugin.deleted':
      return [pluginKeys.list, pluginKeys.one(plugin), systemKey];
    case 'operation.updated':
      return [operationKeys.list, operationKeys.one(operation)];
  }
}
