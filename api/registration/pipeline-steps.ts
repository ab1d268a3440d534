import type { FromSchema } from 'json-schema-to-ts';
import type { PipelineStep } from '../../storage/pipelines/pipelines.js';
import { newPipelineStepSchema } from '../schemas/pipeline.js';

type NewPipelineStep = Partial<FromSchema<typeof newPipelineStepSchema>> & Pick<PipelineStep, 'plugin_id'>;

const { max_attempts, backoff_seconds, timeout_seconds } = newPipelineStepSchema.properties;

/** Returns a step with the schema's defaults for omitted fields. */
export function withDefaults(step: NewPipelineStep): PipelineStep {
  return {
    plugin_id: step.plugin_id,
    max_attempts: step.max_attempts ?? max_attempts.default,
    backoff_seconds: step.backoff_seconds ?? backoff_seconds.default,
    timeout_seconds: step.timeout_seconds ?? timeout_seconds.default,
  };
}
