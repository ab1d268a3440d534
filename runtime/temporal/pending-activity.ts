/** An activity of a run that has not ended, as Temporal sees it. */
export interface PendingActivity {
  readonly activityType: string;
  /** The queue in which it waits or waited for a worker; null: unknown. */
  readonly taskQueue: string | null;
  readonly state: 'SCHEDULED' | 'STARTED' | 'PAUSED' | 'OTHER';
  readonly attempt: number;
  /** When its next attempt is due, if that lies ahead. */
  readonly nextAttemptAt: Date | null;
  readonly lastFailure: { readonly type: string; readonly message: string } | null;
  readonly lastWorker: string | null;
}

/** A time as the generated messages hold it. */
interface RawTime {
  readonly seconds?: { toNumber(): number } | number | null;
  readonly nanos?: number | null;
}

/** A time of Temporal's; null when there is none. */
export function toDate(time: RawTime | null | undefined): Date | null {
  if (time?.seconds === undefined || time.seconds === null) return null;
  const seconds = typeof time.seconds === 'number' ? time.seconds : time.seconds.toNumber();
  return new Date(seconds * 1000 + (time.nanos ?? 0) / 1e6);
}

interface RawPendingActivity {
  readonly activityOptions?: { readonly taskQueue?: { readonly name?: string | null } | null } | null;
  readonly activityType?: { readonly name?: string | null } | null;
  readonly state?: number | null;
  readonly attempt?: number | null;
  readonly paused?: boolean | null;
  readonly scheduledTime?: unknown;
  readonly nextAttemptScheduleTime?: unknown;
  readonly lastWorkerIdentity?: string | null;
  readonly lastFailure?: {
    readonly message?: string | null;
    readonly applicationFailureInfo?: { readonly type?: string | null } | null;
  } | null;
}

/** What Temporal says of a pending activity, in our words. */
export function toPendingActivity(raw: RawPendingActivity, now: number): PendingActivity {
  const next = toDate((raw.nextAttemptScheduleTime ?? raw.scheduledTime) as RawTime | null);
  const failure = raw.lastFailure;
  return {
    activityType: raw.activityType?.name ?? '',
    taskQueue: raw.activityOptions?.taskQueue?.name ?? null,
    state:
      raw.paused === true ? 'PAUSED' : raw.state === 1 ? 'SCHEDULED' : raw.state === 2 ? 'STARTED' : 'OTHER',
    attempt: raw.attempt ?? 1,
    nextAttemptAt: next !== null && next.getTime() > now ? next : null,
    lastFailure: failure
      ? { type: failure.applicationFailureInfo?.type ?? '', message: failure.message ?? '' }
      : null,
    lastWorker: raw.lastWorkerIdentity === '' ? null : (raw.lastWorkerIdentity ?? null),
  };
}
