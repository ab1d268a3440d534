import type proto from '@temporalio/proto';
import { failureCodeOf } from '../../core/runs/failure-code.js';
import { interruptedTypes, type StepError } from '../../core/states.js';

/** A pending activity of a run, as Temporal reports it. */
export interface PendingActivity {
  readonly activityId: string;
  readonly activityType: string;
  /** The task queue it was scheduled on; null if unknown. */
  readonly taskQueue: string | null;
  /** CANCELLING: the workflow no longer waits for it. */
  readonly state: 'SCHEDULED' | 'STARTED' | 'CANCELLING' | 'PAUSED' | 'OTHER';
  /** The number of its newest attempt; in a pause, of the next one. */
  readonly attempt: number;
  /** When its next attempt is due, if that is in the future. */
  readonly nextAttemptAt: Date | null;
  readonly lastFailure: { readonly type: string; readonly message: string } | null;
}

/** A timestamp in generated messages. */
interface RawTime {
  readonly seconds?: { toNumber(): number } | number | null;
  readonly nanos?: number | null;
}

/** Converts a timestamp of Temporal; null if there is none. */
export function toDate(time: RawTime | null | undefined): Date | null {
  if (time?.seconds === undefined || time.seconds === null) return null;
  const seconds = typeof time.seconds === 'number' ? time.seconds : time.seconds.toNumber();
  return new Date(seconds * 1000 + (time.nanos ?? 0) / 1e6);
}

type RawPendingActivity = proto.temporal.api.workflow.v1.IPendingActivityInfo;

/** Temporal's states, by their numbers. */
const states: readonly PendingActivity['state'][] = ['OTHER', 'SCHEDULED', 'STARTED', 'CANCELLING'];

export function toPendingActivity(raw: RawPendingActivity, now: number): PendingActivity {
  const next = toDate(raw.nextAttemptScheduleTime ?? raw.scheduledTime);
  const failure = raw.lastFailure;
  return {
    activityId: raw.activityId ?? '',
    activityType: raw.activityType?.name ?? '',
    taskQueue: raw.activityOptions?.taskQueue?.name ?? null,
    state: raw.paused === true ? 'PAUSED' : (states[raw.state ?? 0] ?? 'OTHER'),
    attempt: raw.attempt ?? 1,
    nextAttemptAt: next !== null && next.getTime() > now ? next : null,
    lastFailure: failure
      ? { type: failure.applicationFailureInfo?.type ?? '', message: failure.message ?? '' }
      : null,
  };
}

/** The error of an activity's last attempt as that of a step; null if none failed, or it was interrupted. */
export function errorOf({ lastFailure }: PendingActivity): StepError | null {
  if (lastFailure === null || interruptedTypes.has(lastFailure.type)) return null;
  const { type, message } = lastFailure;
  const isTimeout = type === '' && /timeout/i.test(message);
  const timeoutCode = /heartbeat/i.test(message) ? 'HEARTBEAT_TIMED_OUT' : 'STEP_TIMED_OUT';
  return { code: isTimeout ? timeoutCode : failureCodeOf(type), message, details: {} };
}
