import type { ProgressReport } from '../../protocol/report.js';
import { createProgressThrottle, type Progress } from '../../throttle-progress.js';
import type { PluginLog } from '../../types.js';
import type { AttemptCallback } from './attempt-callback.js';
import type { AttemptControl } from './attempt-control.js';
import { CoreError } from '../core/core-error.js';

export interface AttemptProgress {
  report(fraction: number | null, message?: string | null): void;
  /** Sends pending progress and stops the repeated reports. */
  end(): Promise<void>;
}

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
  const send = async (progress: Progress): Promise<void> => {
    if (control.ended !== null) return;
    const { cancelRequested } = await callback.tell(toReport(progress), control.signal);
    if (cancelRequested && host.heedsCancel) control.end('CANCELLED');
  };
  const onError = (error: unknown): void => {
    if (control.ended !== null) return;
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
      : setInterval(() => throttle.report(last.fraction, last.message), host.heartbeatMs);
  return {
    report,
    async end() {
      clearInterval(heartbeat);
      await throttle.flush();
    },
  };
}

function toReport({ fraction, message }: Progress): ProgressReport {
  return {
    status: 'PROGRESS',
    progress: { ...(fraction !== null && { fraction }), ...(message !== null && { message }) },
  };
}
