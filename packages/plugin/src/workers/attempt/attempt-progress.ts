import type { ProgressReport } from '../../protocol/report.js';
import { createProgressThrottle, type Progress } from '../../throttle-progress.js';
import type { PluginLog } from '../../types.js';
import type { AttemptCallback } from './attempt-callback.js';
import type { AttemptControl } from './attempt-control.js';
import { CoreError } from '../core/core-error.js';

export interface AttemptProgress {
  report(fraction: number | null, message?: string | null): void;
  /**
   * Sends pending progress; call it before the outcome is reported. Heartbeats continue, because Core may be unavailable
   * for long. From then on, refused heartbeats are ignored: only the answer to the report ends the attempt.
   */
  settle(): Promise<void>;
  /** Stops the repeated reports. */
  end(): void;
}

/** The least and most time for a request with progress, in milliseconds; in between, the heartbeat interval. */
const leastPatienceMs = 2_000;
const mostPatienceMs = 10_000;

/**
 * Sends progress to Core, and ends the attempt if Core's answers require it. With `heartbeatMs`, repeats the last
 * progress at that interval as a heartbeat and obeys cancellation requests; otherwise Temporal handles both.
 */
export function createAttemptProgress(
  callback: AttemptCallback,
  control: AttemptControl,
  log: PluginLog,
  host: { readonly heartbeatMs: number | null; readonly heedsCancel: boolean },
): AttemptProgress {
  let last: Progress = { fraction: null, message: null };
  let isFlushing = false;
  let isSettling = false;
  const over = new AbortController();
  const isOver = (): boolean => control.ended !== null || over.signal.aborted;
  // A request that hangs ends before the next heartbeat, which then uses another connection.
  const patienceMs = Math.min(mostPatienceMs, Math.max(leastPatienceMs, host.heartbeatMs ?? mostPatienceMs));
  const send = async (progress: Progress): Promise<void> => {
    if (isOver()) return;
    // AbortSignal.any holds signals weakly, so Node.js 20 may lose an AbortSignal.timeout.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('Core did not answer in time.')), patienceMs);
    try {
      const signal = AbortSignal.any([control.signal, over.signal, late.signal]);
      const { cancelRequested } = await callback.tell(toReport(progress), signal);
      if (cancelRequested && host.heedsCancel) control.end('CANCELLED');
    } finally {
      clearTimeout(timer);
    }
  };
  const onError = (error: unknown): void => {
    if (isOver() || isSettling) return;
    const status = error instanceof CoreError ? error.status : null;
    if (status === 409) control.end('CLOSED');
    else if (status === 404) control.end('GONE');
    else log.warn({ err: error }, 'progress was not sent');
  };
  const throttle = createProgressThrottle(send, onError, Math.min(1_000, host.heartbeatMs ?? 1_000));
  const report: AttemptProgress['report'] = (fraction, message = null) => {
    last = { fraction, message };
    throttle.report(fraction, message);
  };
  const heartbeat =
    host.heartbeatMs === null
      ? undefined
      : setInterval(() => {
          if (!isFlushing) throttle.report(last.fraction, last.message);
        }, host.heartbeatMs);
  return {
    report,
    async settle() {
      // With more heartbeats, this would never end if Core answers more slowly than they are due.
      isFlushing = true;
      await throttle.flush();
      isFlushing = false;
      isSettling = true;
    },
    end() {
      clearInterval(heartbeat);
      over.abort();
    },
  };
}

function toReport({ fraction, message }: Progress): ProgressReport {
  return {
    status: 'PROGRESS',
    progress: { ...(fraction !== null && { fraction }), ...(message !== null && { message }) },
  };
}
