import type { NativeConnection } from '@temporalio/worker';
import { parseJson } from '../../protocol/text.js';

/** How an activity ended according to Temporal. */
export type ActivityEnd =
  | { readonly kind: 'COMPLETED'; readonly result: ReadResult }
  | { readonly kind: 'FAILED'; readonly type: string; readonly message: string }
  | { readonly kind: 'TIMED_OUT'; readonly isHeartbeat: boolean }
  | { readonly kind: 'CANCELLED' };

/** The return value of an activity. */
export interface ReadResult {
  /** Size in bytes as stored by Temporal. */
  readonly bytes: number;
  /** Null if it cannot be read or there is none. */
  readonly value: unknown;
  /** Why it cannot be read; null if it can. */
  readonly fault: string | null;
}

interface Payload {
  readonly metadata?: Readonly<Record<string, Uint8Array>> | null;
  readonly data?: Uint8Array | null;
}

/** A workflow task, as Temporal's SDK returns it. */
export type Task = Awaited<ReturnType<NativeConnection['workflowService']['pollWorkflowTaskQueue']>>;
export type HistoryEvent = NonNullable<NonNullable<Task['history']>['events']>[number];

/** TIMEOUT_TYPE_HEARTBEAT of temporal.api.enums.v1. */
const heartbeatTimeout = 4;

/** Returns how the activity of a history ended; null if it has not. */
export function endOf(events: readonly HistoryEvent[]): ActivityEnd | null {
  for (const event of events) {
    const { activityTaskCompletedEventAttributes: completed, activityTaskFailedEventAttributes: failed } =
      event;
    if (completed) return { kind: 'COMPLETED', result: readResult(completed.result?.payloads ?? []) };
    if (failed) {
      const { message, applicationFailureInfo: info } = failed.failure ?? {};
      return { kind: 'FAILED', type: info?.type ?? '', message: message ?? '' };
    }
    const { activityTaskTimedOutEventAttributes: timedOut } = event;
    if (timedOut) {
      const type: number | null | undefined = timedOut.failure?.timeoutFailureInfo?.timeoutType;
      return { kind: 'TIMED_OUT', isHeartbeat: type === heartbeatTimeout };
    }
    if (event.activityTaskCanceledEventAttributes) return { kind: 'CANCELLED' };
  }
  return null;
}

function readResult(payloads: readonly Payload[]): ReadResult {
  const [payload] = payloads;
  const data = Buffer.from(payload?.data ?? []);
  const encoding = Buffer.from(payload?.metadata?.['encoding'] ?? []).toString();
  const bytes = data.byteLength;
  if (payload === undefined || encoding === 'binary/null') return { bytes, value: null, fault: null };
  if (encoding !== 'json/plain')
    return { bytes, value: null, fault: `its encoding is ${encoding || 'missing'}, not json/plain` };
  const value = parseJson(data);
  return { bytes, value: value ?? null, fault: value === undefined ? 'it is not JSON' : null };
}
