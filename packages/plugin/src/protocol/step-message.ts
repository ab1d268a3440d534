import { internalUrls, type ContentType, type StepMessage } from './step.js';

export interface StepMessageParts {
  /** The base of Core's URLs, without a trailing slash. */
  readonly base: string;
  /** Authorizes the worker to read and report for this attempt only. */
  readonly token: string;
  readonly resource: Omit<StepMessage['resource'], 'source_url'>;
  readonly step: { readonly index: number; readonly run: number; readonly plugin_id: string };
  readonly attempt: { readonly number: number; readonly max: number; readonly deadline: Date };
  readonly deadline: { readonly remainingMs: number };
  readonly inputs: readonly {
    readonly id: string;
    readonly type: string;
    readonly content_type: ContentType;
    readonly metadata: Record<string, unknown> | { toJSON(): unknown };
  }[];
  readonly config: Record<string, unknown>;
}

/** Builds the message that delivers an attempt to its worker. */
export function buildStepMessage(parts: StepMessageParts): StepMessage {
  const { base, token, step, attempt, config } = parts;
  const { id, name, type, source_type, media_type, size_bytes, sha256, metadata } = parts.resource;
  const source_url = internalUrls.source(base, id);
  return {
    protocol: 'kw.step/1',
    attempt: {
      number: attempt.number,
      max: attempt.max,
      deadline: attempt.deadline.toISOString(),
      remaining_ms: Math.floor(parts.deadline.remainingMs),
    },
    run: step.run,
    step_index: step.index,
    resource: { id, name, type, source_type, media_type, size_bytes, sha256, metadata, source_url },
    plugin: { id: step.plugin_id, config },
    inputs: parts.inputs.map((input) => ({
      artifact_id: input.id,
      type: input.type,
      content_type: input.content_type,
      metadata: input.metadata,
      url: internalUrls.input(base, id, input.id),
    })),
    callback: { url: internalUrls.callback(base, id), token },
  };
}
