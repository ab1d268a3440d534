import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { messageOf } from '../core/errors.js';
import { findInfinite, isTooDeep, tooDeep } from '../core/json-bounds.js';

/** Stands for a value of somebody else's worker that a workflow cannot read, or could not pass on. */
class UnreadablePayload {
  /** @param unreadable Why, in words that follow "The result". */
  constructor(readonly unreadable: string) {}
}

/**
 * What workflows read values with. A value that cannot be read becomes an `UnreadablePayload`, for the run to end its
 * step by: thrown, it would fail the workflow's task, which Temporal tries again for ever. Such values come from
 * workers that encrypt what they return or write it in an encoding of their own, and from those whose JSON is none
 * (NaN).
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload: read as PayloadConverter['fromPayload'],
};

/** Why a run cannot take a value, in words that follow "The result"; null: it can. */
export function whyUnreadable(value: unknown): string | null {
  if (value instanceof UnreadablePayload) return value.unreadable;
  // Written for the next activity, it would silently become null.
  const [infinite] = findInfinite(value);
  return infinite === undefined ? null : `${infinite.message}, at ${infinite.path}`;
}

function read(payload: Payload): unknown {
  try {
    const value: unknown = defaultPayloadConverter.fromPayload(payload);
    // Read without recursion, it could not be written again for the next activity.
    return isTooDeep(value) ? new UnreadablePayload(tooDeep.message) : value;
  } catch (error) {
    return new UnreadablePayload(`cannot be read: ${clip(messageOf(error), 500)}`);
  }
}
