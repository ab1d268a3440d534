import { stringify } from 'yaml';

import type { Pipeline, PipelineStep } from '@knowledge-warehouse/client';

type Described = Pick<Pipeline, 'name' | 'trigger_type'> & { readonly steps: readonly PipelineStep[] };

/** A pipeline as `kw pipelines apply` reads it, with all its limits. Equal pipelines have equal texts. */
export function toDocument({ name, trigger_type, steps }: Described): string {
  return stringify({
    name,
    trigger_type,
    steps: steps.map(({ plugin_id, max_attempts, backoff_seconds, timeout_seconds }) => ({
      plugin_id,
      max_attempts,
      backoff_seconds,
      timeout_seconds,
    })),
  });
}

/** Whether two documents describe the same pipeline. */
export function isSame(one: Described, other: Described): boolean {
  return toDocument(one) === toDocument(other);
}
