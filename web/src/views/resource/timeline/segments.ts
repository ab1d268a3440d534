import type { Attempt, Run, Step } from '@knowledge-warehouse/client';

/** The activity of a step during a segment. All kinds except `run` are waits. */
export type SegmentKind = 'start' | 'queue' | 'run' | 'callback' | 'retry';

/** A period in which a step ran, or waited for one thing. Times are Unix milliseconds. */
export interface Segment {
  readonly kind: SegmentKind;
  readonly from: number;
  /** Null: it is still going on. */
  readonly to: number | null;
  /** The attempt that was running. */
  readonly attempt: Attempt | null;
  /** It ends the attempt, so the attempt's outcome is shown with it. */
  readonly isEnd: boolean;
  /** The service's description of an ongoing wait. */
  readonly message: string | null;
}

/** A segment; what `about` does not say is null or false. */
export const newSegment = (
  kind: SegmentKind,
  from: number,
  to: number | null,
  about: Partial<Segment> = {},
): Segment => ({ kind, from, to, attempt: null, isEnd: false, message: null, ...about });

const at = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Whether a resumed run kept the step's result from an earlier run. */
export const isKept = (step: Step, run: Pick<Run, 'started_at'>): boolean =>
  step.status === 'COMPLETED' &&
  step.finished_at !== null &&
  Date.parse(step.finished_at) <= Date.parse(run.started_at);

/** Returns the wait between the request for a run and its first step; null if it was negligible. */
export function startOf(
  run: Pick<Run, 'started_at' | 'finished_at'>,
  steps: readonly Step[],
): Segment | null {
  const from = Date.parse(run.started_at);
  const first = steps.find((step) => !isKept(step, run));
  const to = at(first?.started_at ?? run.finished_at);
  if (first === undefined || (to !== null && to - from < 100)) return null;
  return newSegment('start', from, to, { message: messageOf(first, to) });
}

/** Returns the segments of a step in order. Without attempts, only the first wait and the run time. */
export function segmentsOf(step: Step, attempts: readonly Attempt[]): readonly Segment[] {
  const started = at(step.started_at);
  if (started === null) return [];
  const end = at(step.finished_at);
  const segments: Segment[] = [];
  const add = (kind: SegmentKind, from: number, to: number | null, about: Partial<Segment> = {}): void => {
    if (to === null || to > from) segments.push(newSegment(kind, from, to, about));
  };

  let passed = started;
  for (const [index, attempt] of attempts.entries()) {
    const began = at(attempt.started_at) ?? passed;
    const accepted = at(attempt.accepted_at);
    const ended = at(attempt.finished_at);
    add('queue', passed, began);
    if (accepted === null) add('run', began, ended, { attempt, isEnd: true });
    else {
      add('run', began, accepted, { attempt });
      add('callback', accepted, ended, { attempt, isEnd: true, message: messageOf(step, ended) });
    }
    if (ended === null) return segments;
    passed = ended;
    const retryAt = at(attempt.retry_at);
    if (retryAt === null) continue;
    const next = at(attempts[index + 1]?.started_at ?? null) ?? end;
    const isPausing = next === null && step.waiting_for?.kind === 'retry';
    const resumed = Math.min(retryAt, next ?? retryAt);
    add('retry', passed, isPausing ? null : resumed, { message: isPausing ? messageOf(step, null) : null });
    if (isPausing) return segments;
    passed = resumed;
  }
  return [...segments, ...restOf(step, passed, attempts.length === 0)];
}

/** Returns the segments after the last known attempt. */
function restOf(step: Step, from: number, isAll: boolean): readonly Segment[] {
  const end = at(step.finished_at);
  if (end === null) {
    const kind = isAll && isAtWork(step) ? 'run' : 'queue';
    return [newSegment(kind, from, null, { message: messageOf(step, null) })];
  }
  const isCancelled = step.status === 'CANCELLED';
  if (!isAll && !isCancelled) return [];
  // A step that was cancelled while it waited has no time in the queue yet.
  const isWait = isCancelled && (!isAll || step.queue_seconds === null);
  const began = isWait ? end : Math.min(end, from + (step.queue_seconds ?? 0) * 1000);
  return [
    ...(began > from ? [newSegment('queue', from, began)] : []),
    ...(end > began && !isCancelled ? [newSegment('run', began, end)] : []),
  ];
}

const isAtWork = ({ waiting_for, attempt_started_at }: Step): boolean =>
  waiting_for === null || attempt_started_at !== null;

const messageOf = ({ waiting_for }: Step, ended: number | null): string | null =>
  ended === null ? (waiting_for?.message ?? null) : null;

/** Returns the milliseconds of a segment, up to now if it is still going on. */
export const lengthOf = ({ from, to }: Segment, now: number): number => Math.max(0, (to ?? now) - from);

/** Returns the total milliseconds of running and of waiting. */
export function sumUp(
  segments: readonly Segment[],
  now: number,
): { readonly running: number; readonly waiting: number } {
  let running = 0;
  let waiting = 0;
  for (const segment of segments)
    if (segment.kind === 'run') running += lengthOf(segment, now);
    else waiting += lengthOf(segment, now);
  return { running, waiting };
}
