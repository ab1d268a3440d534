import type { ListedResource, Step } from '@knowledge-warehouse/client';

/** The names of all events on the API's stream. */
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
  'operation.updated',
] as const;

export type EventName = (typeof eventNames)[number];

export interface LiveEvent {
  readonly name: EventName;
  readonly data: {
    readonly resource_id?: string;
    readonly pipeline_id?: string;
    readonly plugin_id?: string;
    readonly operation_id?: string;
  };
}

/** Events contain errors without their details. */
interface ShortError {
  readonly code: string;
  readonly message: string | null;
}

/** The fields of a resource event that update its row. */
export interface ResourceFields extends Pick<
  ListedResource,
  'id' | 'name' | 'type' | 'status' | 'run' | 'is_enabled' | 'updated_at'
> {
  readonly error: (ShortError & { readonly step: number | null }) | null;
}

/** A step event: the step as a resource shows it. */
export interface StepFields extends Omit<Step, 'error'> {
  readonly resource_id: string;
  readonly run: number;
  readonly error: ShortError | null;
}

export interface Connection {
  readonly state: 'connecting' | 'open' | 'paused';
  /** Why the stream is refused, if the service or a proxy answers in its place. */
  readonly refusal: string | null;
}
