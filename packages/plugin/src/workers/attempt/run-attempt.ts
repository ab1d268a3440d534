import { clip } from '../../protocol/text.js';
import { reasonOf } from '../../reason-of.js';
import type { FailureReport, SuccessReport } from '../../protocol/report.js';
import { PluginFailure } from '../../plugin-failure.js';
import type { AnyPlugin, PluginLog } from '../../types.js';
import type { AttemptCallback } from './attempt-callback.js';
import type { AttemptControl, EndCause } from './attempt-control.js';
import { CoreError } from '../core/core-error.js';
import { createEmitted } from './emitted.js';
import { toFailureReport } from './failure-report.js';
import { removeLeftovers } from './leftovers.js';
import { beforePatienceEnds } from './patience.js';
import { inPluginSpan } from '../origin.js';
import { createRemoteContext, type Attempt } from './remote-context.js';

/** The outcome of an attempt. If it is ENDED, nothing was reported. */
export type AttemptOutcome =
  | { readonly kind: 'SUCCESS' }
  | { readonly kind: 'FAILURE'; readonly error: NonNullable<FailureReport['error']> }
  | { readonly kind: 'ENDED'; readonly cause: EndCause };

/**
 * Runs the plugin for one attempt and reports the outcome to Core. Throws CoreError only if a report could not be
 * delivered although the attempt had not ended.
 */
export async function runAttempt(attempt: Attempt): Promise<AttemptOutcome> {
  const { control, callback, progress, log } = attempt;
  let worked: Worked = { report: null, unfinished: null };
  try {
    worked = await work(attempt);
    await progress.settle();
    if (worked.report !== null) {
      const settled = await settle(worked.report, callback, control.signal);
      log.info({ outcome: settled.status }, 'attempt is done');
      return settled.status === 'SUCCESS'
        ? { kind: 'SUCCESS' }
        : { kind: 'FAILURE', error: settled.error ?? {} };
    }
  } catch (error) {
    endAsToldBy(error, control);
    if (control.ended === null) throw error;
  } finally {
    progress.end();
    control.dispose();
  }
  const cause = control.ended ?? 'CLOSED';
  log.info({ cause }, 'attempt ended');
  if (cause !== 'STOPPED') {
    if (worked.unfinished === null) await removeLeftovers(attempt);
    else void worked.unfinished.then(() => removeLeftovers(attempt));
  }
  return { kind: 'ENDED', cause };
}

/** The result of a plugin's work: its report, or null if the attempt ended before. */
interface Worked {
  readonly report: SuccessReport | FailureReport | null;
  /** If the plugin continues although its signal has aborted: resolves when it has finished. */
  readonly unfinished: Promise<void> | null;
}

async function work(attempt: Attempt): Promise<Worked> {
  const { plugin, message, callback, control, log } = attempt;
  const { signal } = control;
  // A plugin that only listens to the signal would never end.
  if (signal.aborted) return { report: null, unfinished: null };
  const emitted = createEmitted(callback, signal, log);
  try {
    const context = createRemoteContext(attempt, emitted.emit);
    const about = {
      'kw.resource_id': message.resource.id,
      'kw.run': message.run,
      'kw.attempt': message.attempt.number,
    };
    const running = inPluginSpan(`plugin ${plugin.id}`, about, async () => {
      const returned: Promise<unknown> = plugin.run(context);
      if ((await returned) !== undefined) warnOnce(plugin, log);
    });
    if (!(await beforePatienceEnds(running, signal))) {
      log.warn({}, 'the plugin continues although its signal has aborted');
      return { report: null, unfinished: running.catch(() => undefined) };
    }
    if (control.ended !== null) return { report: null, unfinished: null };
    return { report: { status: 'SUCCESS', artifacts: await emitted.complete() }, unfinished: null };
  } catch (error) {
    endAsToldBy(error, control);
    if (control.ended !== null) return { report: null, unfinished: null };
    const about = error instanceof PluginFailure ? { code: error.code } : { err: error };
    log.warn(about, `attempt failed: ${reasonOf(error)}`);
    return { report: toFailureReport(error), unfinished: null };
  }
}

/** The plugins whose log says that `run` returned a value. */
const warned = new WeakSet<AnyPlugin>();

function warnOnce(plugin: AnyPlugin, log: PluginLog): void {
  if (warned.has(plugin)) return;
  warned.add(plugin);
  log.warn({}, 'run returned a value, which is ignored: artifacts are stored by ctx.emit');
}

/** Ends an attempt that Core reports as closed, or whose resource no longer exists. */
function endAsToldBy(error: unknown, control: AttemptControl): void {
  if (!(error instanceof CoreError)) return;
  if (error.status === 409) control.end('CLOSED');
  if (error.status === 404) control.end('GONE');
}

/** Reports an outcome or, if Core rejects it as invalid, a failure with the reason. Returns what was reported. */
async function settle(
  report: SuccessReport | FailureReport,
  callback: AttemptCallback,
  signal: AbortSignal,
): Promise<SuccessReport | FailureReport> {
  try {
    await callback.report(report, signal);
    return report;
  } catch (error) {
    if (!(error instanceof CoreError) || (error.status !== 400 && error.status !== 413)) throw error;
    const failure: FailureReport = {
      status: 'FAILURE',
      error: {
        code: report.status === 'SUCCESS' ? 'INVALID_RESULT' : (report.error?.code ?? 'STEP_FAILED'),
        message: clip(`Core refused the report: ${error.message}`, 1_000),
        retryable: report.status === 'SUCCESS' ? false : (report.error?.retryable ?? true),
      },
    };
    await callback.report(failure, signal);
    return failure;
  }
}
