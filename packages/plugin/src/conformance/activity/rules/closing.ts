import { failed, notApplicable, passed, warning, type Rule } from '../../rule.js';
import { enlarge } from '../../rules/content.js';
import { seconds } from '../../words.js';
import type { ActivityKit } from '../kit.js';
import { reportedOutcome } from '../outcomes.js';

/** Maximum time in milliseconds that a cancelled worker waits for its source, so that a heartbeat can inform it. */
const holdMs = 6_000;

const cancelObeyed: Rule<ActivityKit> = {
  name: 'cancel-obeyed',
  section: 'a-cancellation',
  async run(kit) {
    const { core, timeoutMs } = kit;
    const step = await kit.offer({
      material: enlarge(kit.material),
      behaviour: {
        // The source is delayed so that the worker is busy when the cancellation arrives, and has time to learn of it.
        async onRead() {
          await core.until(() => step.offer.cancelledAt ?? undefined, timeoutMs);
          await core.until(() => step.offer.end ?? undefined, Math.min(holdMs, timeoutMs / 2));
          return undefined;
        },
      },
    });
    const { offer } = step;
    const hasEnded = (): boolean => offer.end !== null;
    const isAtWork = (): true | undefined =>
      hasEnded() || step.attempts.some(({ reads }) => reads.length > 0) || undefined;
    await core.until(isAtWork, timeoutMs);
    if (hasEnded()) return notApplicable('it finished before it could be cancelled');
    await kit.cancel(step);
    await core.until(() => offer.cancelledAt ?? offer.end ?? undefined, timeoutMs);
    await kit.ended(step);
    const expected = 'an activity that ends soon after its cancellation, which it learns from its heartbeats';
    if (offer.end === null)
      return warning(expected, `it was still running ${seconds(timeoutMs)} after its cancellation`);
    const wentOn = offer.end.kind === 'COMPLETED' || reportedOutcome(step)?.status === 'SUCCESS';
    return wentOn
      ? warning(expected, 'it continued and reported SUCCESS, which Core no longer accepts')
      : passed;
  },
};

const heartbeatsKept: Rule<ActivityKit> = {
  name: 'heartbeats-kept',
  section: 'the-protocol-of-activity-workers',
  run: ({ steps, routing: { heartbeatSeconds } }) =>
    Promise.resolve(() => {
      if (heartbeatSeconds === null) return notApplicable('the plugin has no heartbeat_seconds');
      const silent = steps.some(({ offer: { end } }) => end?.kind === 'TIMED_OUT' && end.isHeartbeat);
      return silent
        ? failed(
            `a heartbeat at least every ${heartbeatSeconds} s`,
            'an activity that sends no heartbeat for longer',
          )
        : passed;
    }),
};

const cleanUpAnswered: Rule<ActivityKit> = {
  name: 'cleanup-answered',
  section: 'cleaning-up',
  async run(kit) {
    const { message } = await kit.ordinary();
    const offer = await kit.cleanUp(message.resource_id);
    if (offer === null) return notApplicable('it registers no cleanup_activity_type');
    const { end } = offer;
    if (end?.kind === 'COMPLETED') return passed;
    const seen =
      end?.kind === 'FAILED' ? `it threw ${end.type || 'an error'}: ${end.message}` : 'it did not end';
    return failed('a clean-up that ends, even if nothing is left to remove', seen);
  },
};

export const closingRules = [cancelObeyed, heartbeatsKept, cleanUpAnswered];
