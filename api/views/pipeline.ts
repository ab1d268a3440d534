import type { FromSchema } from 'json-schema-to-ts';
import type { Pipeline } from '../../storage/pipelines/pipelines.js';
import type { pipelineSchema } from '../schemas/pipeline.js';

export function viewPipeline(pipeline: Pipeline): FromSchema<typeof pipelineSchema> {
  return {
    id: pipeline.id,
    name: pipeline.name,
    trigger_type: pipeline.trigger_type,
    steps: pipeline.steps.map(({ plugin_id, max_attempts, backoff_seconds, timeout_seconds }) => ({
      plugin_id,
      max_attempts,
      backoff_seconds,
      timeout_seconds,
    })),
    created_at: pipeline.created_at.toISOString(),
    updated_at: pipeline.updated_at.toISOString(),
  };
}
