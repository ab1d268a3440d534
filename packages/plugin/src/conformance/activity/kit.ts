import { randomUUID } from 'node:crypto';
import type { ActivityMessage } from '../../protocol/step.js';
import { newAttempt, type Attempt, type Behaviour, type Reply } from '../attempt.js';
import type { FakeCore } from '../fake-core.js';
import type { Material } from '../material.js';
import { checkedRun, stepMessage } from '../step-message.js';
import type { Claim, Routing } from './control-requests.js';
import type { Offer, Offers } from './offers.js';

/** A step that was offered to activity workers, and what they did with it. */
export interface OfferedStep {
  readonly message: ActivityMessage;
  readonly offer: Offer;
  readonly attempts: readonly Attempt[];
  /** The claimed attempt numbers, in order of arrival. */
  readonly claims: readonly unknown[];
}

export interface StepOptions {
  readonly behaviour?: Behaviour;
  readonly material?: Material;
  /** Default: 1. */
  readonly maxAttempts?: number;
  /** Replaces Core's answer to a claim; undefined keeps it. */
  readonly onClaim?: () => Reply | undefined;
}

/** The tools with which rules check an activity worker. */
export interface ActivityKit {
  readonly core: FakeCore;
  readonly routing: Routing;
  readonly material: Material;
  readonly failing: readonly Material[];
  readonly timeoutMs: number;
  readonly steps: readonly OfferedStep[];
  /** The ordinary step, offered once and judged by several rules. */
  ordinary(): Promise<OfferedStep>;
  offer(options?: StepOptions): Promise<OfferedStep>;
  /** Offers a step and waits until it has ended, or for `timeoutMs`. */
  settle(options?: StepOptions): Promise<OfferedStep>;
  ended(step: OfferedStep, withinMs?: number): Promise<void>;
  cancel(step: OfferedStep): Promise<void>;
  /** Makes the worker clean up after a resource. Resolves with null if the worker has no clean-up. */
  cleanUp(resourceId: string): Promise<Offer | null>;
}

export type ActivityKitOptions = Pick<
  ActivityKit,
  'core' | 'routing' | 'material' | 'failing' | 'timeoutMs'
> & { readonly offers: Offers };

/** Attempts used before: a worker that ignores the base claims attempts that ended long ago. */
const attemptBase = 2;

type Known = OfferedStep & {
  readonly attempts: Attempt[];
  readonly claims: unknown[];
  readonly options: StepOptions;
};

/** Returns the kit, and a function that answers the claims of its steps. */
export function createActivityKit(options: ActivityKitOptions): {
  readonly kit: ActivityKit;
  readonly claim: (claim: Claim) => Reply | undefined;
} {
  const { core, routing, timeoutMs, offers } = options;
  const steps: Known[] = [];
  let ordinary: Promise<OfferedStep> | undefined;

  const offer = async (argument: object, activityType: string, maxAttempts: number): Promise<Offer> =>
    await offers.offer({
      taskQueue: routing.taskQueue,
      activityType,
      argument,
      timeoutMs: 2 * timeoutMs,
      heartbeatSeconds: routing.heartbeatSeconds,
      maxAttempts,
    });

  const kit: ActivityKit = {
    ...options,
    steps,
    ordinary: () => (ordinary ??= kit.settle()),
    async offer(given = {}) {
      const { inputs } = given.material ?? options.material;
      const message: ActivityMessage = {
        protocol: 'kw.activity/1',
        core_url: core.url,
        resource_id: randomUUID(),
        run: checkedRun,
        step_index: inputs.length === 0 ? 0 : 1,
        plugin_id: routing.pluginId,
        attempt_base: attemptBase,
      };
      // Claims may arrive before the server has confirmed the offer.
      const step = { message, attempts: [], claims: [], options: given };
      const known = Object.assign(step, { offer: undefined as unknown as Offer });
      steps.push(known);
      known.offer = await offer(message, routing.activityType, given.maxAttempts ?? 1);
      return known;
    },
    async settle(given) {
      const step = await kit.offer(given);
      await kit.ended(step);
      return step;
    },
    async ended({ offer: { activity }, offer: offered }, withinMs = timeoutMs * activity.maxAttempts) {
      await core.until(() => offered.end ?? undefined, withinMs);
    },
    cancel: ({ offer: offered }) => offers.cancel(offered),
    async cleanUp(resourceId) {
      if (routing.cleanUpType === null) return null;
      const argument = {
        protocol: 'kw.cleanup/1',
        core_url: core.url,
        plugin_id: routing.pluginId,
        reason: 'RESOURCE_DELETED',
        resource: { id: resourceId },
        run: checkedRun,
        artifacts: [{ artifact_id: randomUUID(), type: 'text' }],
      };
      const offered = await offer(argument, routing.cleanUpType, 1);
      await core.until(() => offered.end ?? undefined, timeoutMs);
      return offered;
    },
  };

  return {
    kit,
    claim({ resource_id, attempt: number }) {
      const step = steps.find(({ message }) => message.resource_id === resource_id);
      if (step === undefined) return undefined;
      step.claims.push(number);
      const instead = step.options.onClaim?.();
      if (instead !== undefined) return instead;
      const { behaviour, material = options.material, maxAttempts = 1 } = step.options;
      const place = {
        pluginId: routing.pluginId,
        timeoutMs,
        resourceId: step.message.resource_id,
        attempt: { number: typeof number === 'number' ? number : 1, max: attemptBase + maxAttempts },
      };
      const attempt = newAttempt(stepMessage(core.url, place, material), material, behaviour);
      attempt.deliveries = 1;
      attempt.acceptedAt = Date.now();
      core.add(attempt);
      step.attempts.push(attempt);
      return { status: 200, body: attempt.message };
    },
  };
}
