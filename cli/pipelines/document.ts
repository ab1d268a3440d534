import { stringify } from 'yaml';

import type { Pipeline, PipelineStep } from '@knowledge-warehouse/client';

type Described = Pick<Pipeline, 'name' | 'trigger_type'> & { readonly steps: readonly PipelineStep[] };

/** Returns what a file says of a pipeline, with all its limits. */
export function described({ name, trigger_type, steps }: Described): Described {
  return {
    name,
    trigger_type,
    steps: steps.map(({ plugin_id, max_attempts, backoff_seconds, timeout_seconds }) => ({
      plugin_id,
      max_attempts,
      backoff_seconds,
      timeout_seconds,
    })),
  };
}

/** A pipeline as `kw pipelines apply` reads it. Equal pipelines have equal texts. */
export const toDocument = (pipeline: Described): string => stringify(described(pipeline));

/** Whether two documents describe the same pipeline. */
export function isSame(one: Described, other: Described): boolean {
  return toDocument(one) === toDocument(other);
}
