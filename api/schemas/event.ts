import { pluginKinds } from '../../core/states.js';
import { count, flag, objectOf, objectOrNull, text, textOrNull, timestamp, uuid } from './common.js';
import { artifactSchema } from './artifact.js';
import { operationSchema } from './bulk-operation.js';
import { resourceSchema } from './resource.js';
import { stepSchema } from './run.js';
import { typed } from './typed.js';

const at = { ...timestamp, description: 'When the change began.' } as const;
const resourceId = { ...uuid, description: 'The id of the resource.' } as const;

const { code } = stepSchema.properties.error.properties;
const { step: errorStep } = resourceSchema.properties.error.properties;
const shortMessage = textOrNull('The message, cut at 1,000 characters.');

/** The data of `resource.created` and `resource.updated`: the fields of a list row. */
export const resourceEventSchema = objectOf({
  at,
  resource_id: resourceId,
  id: resourceId,
  name: resourceSchema.properties.name,
  type: resourceSchema.properties.type,
  status: resourceSchema.properties.status,
  run: resourceSchema.properties.run,
  is_enabled: resourceSchema.properties.is_enabled,
  updated_at: timestamp,
  error: {
    title: 'ResourceEventError',
    description: 'Why it is FAILED.',
    ...objectOrNull({ code, message: shortMessage, step: errorStep }),
  },
});

/** The data of `resource.deleted`. */
export const resourceDeletedEventSchema = objectOf({ at, resource_id: resourceId, id: resourceId });

/** The data of `step.updated`: the step as in a resource, with its error but without the error's details. */
export const stepEventSchema = objectOf({
  at,
  resource_id: resourceId,
  run: count('The run that the step belongs to.', 1),
  ...stepSchema.properties,
  error: {
    title: 'StepEventError',
    description: 'Why the last attempt failed.',
    ...objectOrNull({ code, message: shortMessage }),
  },
});

const { type, content_type, step_index, plugin_id, run, size_bytes } = artifactSchema.properties;
const ofArtifact = {
  at,
  resource_id: resourceId,
  artifact_id: { ...uuid, description: 'The id of the artifact.' },
} as const;

/** The data of `artifact.updated`: a new artifact or new content. */
export const artifactEventSchema = objectOf({
  ...ofArtifact,
  type,
  content_type,
  step_index,
  plugin_id,
  run,
  size_bytes,
  updated_at: timestamp,
});

/** The data of `artifact.deleted`. Deleting a resource sends none for its artifacts. */
export const artifactDeletedEventSchema = objectOf({ ...ofArtifact, type, step_index });

/** The data of `pipeline.created`, `pipeline.updated` and `pipeline.deleted`. */
export const pipelineEventSchema = objectOf({
  at,
  pipeline_id: { ...uuid, description: 'The id of the pipeline.' },
  name: text('The display name.'),
  trigger_type: text('The type of the resources that it processes.'),
  updated_at: timestamp,
});

/** The data of `plugin.created`, `plugin.updated` and `plugin.deleted`. */
export const pluginEventSchema = objectOf({
  at,
  plugin_id: text('The id of the plugin.'),
  name: text('The display name.'),
  version: text('The version it was registered with.'),
  kind: { type: 'string', enum: pluginKinds, description: 'How its steps run.' },
  is_active: flag('Whether its steps run.'),
  updated_at: timestamp,
});

const ofOperation = operationSchema.properties;

/** The data of `operation.updated`: the operation was accepted, made progress or ended. */
export const operationEventSchema = objectOf({
  at,
  operation_id: ofOperation.id,
  action: ofOperation.action,
  status: ofOperation.status,
  matched: ofOperation.matched,
  done: ofOperation.done,
  skipped: ofOperation.skipped,
  failed: ofOperation.failed,
  finished_at: ofOperation.finished_at,
});

const nothing = { title: 'NoData', type: 'object', additionalProperties: false, properties: {} } as const;

const frame = (title: string, data: object, ...types: readonly string[]): object => ({
  title,
  ...objectOf({
    id: text('The Last-Event-ID that resumes after this event.'),
    event: { type: 'string', enum: types, description: 'What happened.' },
    data,
  }),
});

const byEvent = { propertyName: 'event' } as const;

const ofResource = [
  frame('StreamFrame', nothing, 'ready', 'reset'),
  frame('ResourceFrame', resourceEventSchema, 'resource.created', 'resource.updated'),
  frame('ResourceDeletedFrame', resourceDeletedEventSchema, 'resource.deleted'),
  frame('StepFrame', stepEventSchema, 'step.updated'),
  frame('ArtifactFrame', artifactEventSchema, 'artifact.updated'),
  frame('ArtifactDeletedFrame', artifactDeletedEventSchema, 'artifact.deleted'),
];

/** One event on the stream of a resource: the fields of its frame, `data` as the JSON in it. */
export const resourceStreamEventSchema = { discriminator: byEvent, oneOf: ofResource };

/** One event on the stream of all resources. */
export const streamEventSchema = {
  discriminator: byEvent,
  oneOf: [
    ...ofResource,
    frame('PipelineFrame', pipelineEventSchema, 'pipeline.created', 'pipeline.updated', 'pipeline.deleted'),
    frame('PluginFrame', pluginEventSchema, 'plugin.created', 'plugin.updated', 'plugin.deleted'),
    frame('OperationFrame', operationEventSchema, 'operation.updated'),
  ],
};

export const eventsQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    last_event_id: {
      type: 'string',
      maxLength: 1000,
      description:
        'The same as the Last-Event-ID header, which a browser’s EventSource cannot set when it first connects. If both are given, the header takes precedence. An empty value is ignored.',
      examples: ['3f1c52d07a9e-7143-5120'],
    },
  },
});
