import { randomUUID } from 'node:crypto';
import { buildStepMessage } from '../protocol/step-message.js';
import type { StepMessage } from '../protocol/step.js';
import type { Material } from './material.js';

/** The attempt and step of a message; by default the first of a new resource. */
interface Place {
  readonly pluginId: string;
  /** Milliseconds that an outcome may take. */
  readonly timeoutMs: number;
  readonly resourceId?: string;
  readonly attempt?: { readonly number: number; readonly max: number };
}

/** The run that all steps are of. */
export const checkedRun = 1;

/** The message of a step about some material. */
export function stepMessage(
  coreUrl: string,
  { pluginId, timeoutMs, resourceId = randomUUID(), attempt = { number: 1, max: 3 } }: Place,
  { source, inputs, config }: Material,
): StepMessage {
  // Long enough for a worker to try again whatever a rule makes fail.
  const remainingMs = 2 * timeoutMs + 60_000;
  return buildStepMessage({
    base: coreUrl,
    token: `kwt_${randomUUID()}`,
    resource: {
      id: resourceId,
      name: 'A resource made up by "kw plugins check"',
      type: 'check',
      source_type: 'UPLOAD',
      media_type: source.media_type,
      size_bytes: source.bytes.byteLength,
      sha256: null,
      metadata: {},
    },
    step: { index: inputs.length === 0 ? 0 : 1, run: checkedRun, plugin_id: pluginId },
    attempt: { ...attempt, deadline: new Date(Date.now() + remainingMs) },
    deadline: { remainingMs },
    inputs: inputs.map(({ type, content_type }) => ({
      id: randomUUID(),
      type,
      content_type,
      metadata: {},
    })),
    config,
  });
}
