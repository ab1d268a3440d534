import type { StepMessage } from '../../protocol/step.js';

/**
 * Returns a step that has just arrived, with its deadline converted to this process's clock, which may differ from
 * Core's.
 *
 * @param sentAt Milliseconds since 1970 by Core's clock; only used if Core does not send the remaining time.
 */
export function withLocalDeadline(
  message: StepMessage,
  sentAt: () => number,
): { readonly message: StepMessage; readonly remainingMs: number } {
  const { remaining_ms: given } = message.attempt as { readonly remaining_ms?: number };
  const remainingMs = given ?? Date.parse(message.attempt.deadline) - sentAt();
  const deadline = new Date(Date.now() + remainingMs).toISOString();
  return { message: { ...message, attempt: { ...message.attempt, deadline } }, remainingMs };
}
