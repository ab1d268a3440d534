import type { FromSchema } from 'json-schema-to-ts';
import type { ChangeEvent } from '../../core/events.js';
import type { artifactEventSchema, resourceEventSchema, stepEventSchema } from '../schemas/event.js';

type Told = Partial<
  FromSchema<typeof resourceEventSchema> &
    FromSchema<typeof stepEventSchema> &
    FromSchema<typeof artifactEventSchema>
>;

const times = ['updated_at', 'started_at', 'finished_at'] as const;

/** Converts a change to an event. Times come from PostgreSQL in its own form of ISO 8601. */
export function viewEvent({ type, at, resourceId, data }: ChangeEvent): Record<string, unknown> {
  const told: Record<string, unknown> = { at: at.toISOString() };
  if (resourceId !== null) told['resource_id'] = resourceId;
  if (type.startsWith('resource.')) told['id'] = resourceId;
  Object.assign(told, data);
  for (const name of times) {
    const time = told[name];
    if (typeof time === 'string') told[name] = new Date(time).toISOString();
  }
  const { error } = told as Told;
  if (type === 'step.updated' && error) told['error'] = { code: error.code, message: error.message };
  return told;
}
