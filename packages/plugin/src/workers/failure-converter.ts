import {
  DefaultFailureConverter,
  type FailureConverter,
  type PayloadConverter,
  type ProtoFailure,
} from '@temporalio/common';
import { clip, messageOf } from '../protocol/text.js';

const longestType = 200;
const longestMessage = 10_000;
const longestStack = 20_000;
const deepestCause = 10;

/**
 * Writes the failures of workflows and activities so that Temporal accepts them. For a string with half a surrogate
 * pair, the native client refuses the whole response and the worker shuts down; an unbounded failure exceeds the
 * maximum message size. The SDK loads this class by its path, in the worker and in the sandbox of its workflows.
 */
class BoundedFailureConverter extends DefaultFailureConverter {
  private depth = 0;

  override errorToFailureInner(error: unknown, payloads: PayloadConverter): ProtoFailure {
    if (this.depth === deepestCause) return { message: 'Further causes are left out.' };
    this.depth += 1;
    try {
      return bound(super.errorToFailureInner(error, payloads));
    } catch (unwritable) {
      // For example, its details are not valid JSON. The failure itself must not be lost.
      return bound({
        message: `${messageOf(error)} (it could not be written as it is: ${messageOf(unwritable)})`,
        applicationFailureInfo: typeOf(error),
      });
    } finally {
      this.depth -= 1;
    }
  }
}

function bound(failure: ProtoFailure): ProtoFailure {
  const { message, stackTrace, applicationFailureInfo: info } = failure;
  return {
    ...failure,
    ...(typeof message === 'string' && { message: clip(message, longestMessage) }),
    ...(typeof stackTrace === 'string' && { stackTrace: clip(stackTrace, longestStack) }),
    ...(info && {
      applicationFailureInfo: { ...info, type: clip(info.type ?? '', longestType) },
    }),
  };
}

function typeOf(error: unknown): { readonly type: string; readonly nonRetryable: boolean } {
  const { type, nonRetryable } = Object(error) as { type?: unknown; nonRetryable?: unknown };
  return { type: typeof type === 'string' ? type : '', nonRetryable: nonRetryable === true };
}

export const failureConverter: FailureConverter = new BoundedFailureConverter();
