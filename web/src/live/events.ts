import type { ListedResource, Step } from '../api/types.js';

/** What the API's stream of events carries, by the name of the event. */
export const eventNames = [
  'reset',
  'resource.created',
  'resource.updated',
  'resource.deleted',
  'step.updated',
  'artifact.updated',
  'artifact.deleted',
  'pipeline.created',
  'pipeline.updated',
  'pipeline.deleted',
  'plugin.created',
  'plugin.updated',
  'plugin.deleted',
] as const;

export type EventName = (typeof eventNames)[number];

export interface LiveEvent {
  readonly name: EventName;
  readonly data: {
    readonly resource_id?: string;
    readonly pipeline_id?: string;
    readonly plugin_id?: string;
  };
}

/** The fields of a resource's event that its row takes over. */
export type ResourceFields = Pick<
  ListedResource,
  'id' | 'name' | 'type' | 'status' | 'run' | 'is_enabled' | 'updated_at' | 'error'
>;

/** A step's event. */
export type StepFields = Pick<
  Step,
  'index' | 'plugin_id' | 'status' | 'attempt' | 'max_attempts' | 'progress' | 'error'
> & { readonly resource_id: string; readonly run: number };

export type Connection = 'connecting' | 'open' | 'paused';
