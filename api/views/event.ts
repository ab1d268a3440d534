import type { FromSchema } from 'json-schema-to-ts';
import type { ChangeEvent } from '../../core/events.js';
import type { artifactEventSchema, resourceEventSchema, stepEventSchema } from '../schemas/event.js';

type Fields = Partial<
  FromSchema<typeof resourceEventSchema> &
    FromSchema<typeof stepEventSchema> &
    FromSchema<typeof artifactEventSchema>
>;

const times = ['updated_at', 'started_at', 'attempt_started_at', 'finished_at'] as const;

/** Converts a change to an event. Times come from PostgreSQL in its own form of ISO 8601. */
export function viewEvent({ type, at, resourceId, data }: ChangeEvent): Record<string, unknown> {
  const fields: Record<string, unknown> = { at: at.toISOString() };
  if (resourceId !== null) fields['resource_id'] = resourceId;
  if (type.startsWith('resource.')) fields['id'] = resourceId;
  Object.assign(fields, data);
  for (const name of times) {
    const time = fields[name];
    if (typeof time === 'string') fields[name] = new Date(time).toISOString();
  }
  const { error } = fields as Fields;
  if (type === 'step.updated' && error) fields['error'] = { code: error.code, message: error.message };
  return fields;
}
