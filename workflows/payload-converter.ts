import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { messageOf } from '../core/errors.js';
import { findInfinite, isTooDeep, tooDeep } from '../core/json/json-bounds.js';

/** Placeholder for a value from an external worker that a workflow cannot read or pass on. */
class UnreadablePayload {
  /** @param unreadable Why; completes a sentence that starts with "The result". */
  constructor(readonly unreadable: string) {}
}

/**
 * The payload converter of workflows. An unreadable value becomes an `UnreadablePayload`, which lets the run
 * fail its step. Throwing would fail the workflow task, which Temporal retries forever. Such values come from
 * workers that encrypt results, use their own encoding or produce invalid JSON (NaN).
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload: read as PayloadConverter['fromPayload'],
};

/**
 * Why a run cannot accept a value, as the end of a sentence that starts with "The result"; null if it can.
 */
export function whyUnreadable(value: unknown): string | null {
  if (value instanceof UnreadablePayload) return value.unreadable;
  // Bytes come from outside the workflow's sandbox, so they are not instances of its Uint8Array.
  if (ArrayBuffer.isView(value))
    return 'is raw bytes: return an object {"artifacts": […]}, or throw an ApplicationFailure to fail the attempt';
  // Serialized for the next activity, it would silently become null.
  const [infinite] = findInfinite(value);
  return infinite === undefined ? null : `${infinite.message}, at ${infinite.path}`;
}

function read(payload: Payload): unknown {
  try {
    const value: unknown = defaultPayloadConverter.fromPayload(payload);
    // It was read without recursion, but could not be serialized for the next activity.
    return isTooDeep(value) ? new UnreadablePayload(tooDeep.message) : value;
  } catch (error) {
    return new UnreadablePayload(`cannot be read: ${clip(messageOf(error), 500)}`);
  }
}
