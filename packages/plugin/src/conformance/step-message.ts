import { randomUUID } from 'node:crypto';
import { buildStepMessage } from '../protocol/step-message.js';
import type { StepMessage } from '../protocol/step.js';
import type { Material } from './material.js';

/** The run number of steps, unless a rule needs another one. */
export const checkedRun = 1;

/** The attempt and step of a message; by default the first of a new resource. */
export interface Place {
  readonly resourceId?: string;
  readonly run?: number;
  /** By default 0 for a step without inputs, otherwise 1. */
  readonly stepIndex?: number;
  readonly attempt?: { readonly number: number; readonly max: number };
}

interface PlaceOfPlugin extends Place {
  readonly pluginId: string;
  /** Time limit for an outcome, in milliseconds. */
  readonly timeoutMs: number;
}

/** Builds the message of a step with the given material. */
export function stepMessage(
  coreUrl: string,
  place: PlaceOfPlugin,
  { source, inputs, config }: Material,
): StepMessage {
  const { pluginId, timeoutMs, resourceId = randomUUID(), attempt = { number: 1, max: 3 } } = place;
  const { run = checkedRun, stepIndex = inputs.length === 0 ? 0 : 1 } = place;
  // Long enough for a worker to retry requests that a rule makes fail.
  const remainingMs = 2 * timeoutMs + 60_000;
  return buildStepMessage({
    base: coreUrl,
    token: `kwt_${randomUUID()}`,
    resource: {
      id: resourceId,
      name: 'A test resource of "kw plugins check"',
      type: 'check',
      source_type: 'UPLOAD',
      media_type: source.media_type,
      size_bytes: source.bytes.byteLength,
      sha256: null,
      metadata: {},
    },
    step: { index: stepIndex, run, plugin_id: pluginId },
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
