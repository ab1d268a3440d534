import { newAttempt, type Attempt, type Behaviour } from './attempt.js';
import type { FakeCore } from './fake-core.js';
import type { Material } from './material.js';
import { stepMessage, type Place } from './step-message.js';
import type { CheckedWorker, Signing, WorkerAnswer } from './worker.js';

/** The tools with which rules check a worker. */
export interface Kit {
  readonly core: FakeCore;
  readonly worker: CheckedWorker;
  readonly material: Material;
  readonly pluginId: string;
  readonly timeoutMs: number;
  readonly heartbeatSeconds: number | undefined;
  /** Materials that must lead to a failure. */
  readonly failing: readonly Material[];
  /** The ordinary attempt, delivered once and judged by several rules. */
  ordinary(): Promise<Delivery>;
  /** Creates an attempt that has not been delivered; by default the first one of a new resource. */
  attempt(behaviour?: Behaviour, material?: Material, place?: Place): Attempt;
  /** Delivers an attempt, and records the answer if it is a report. Rejects with WorkerAway if there is no answer. */
  deliver(attempt: Attempt, signing?: Signing): Promise<WorkerAnswer>;
  /** Delivers an attempt and waits until it is settled, or for `timeoutMs`. */
  settle(attempt: Attempt, signing?: Signing): Promise<Delivery>;
}

/** A delivered attempt, and the worker's answer to the delivery. */
export interface Delivery {
  readonly attempt: Attempt;
  readonly answer: WorkerAnswer;
}

export type KitOptions = Omit<Kit, 'ordinary' | 'attempt' | 'deliver' | 'settle'>;

export function createKit(options: KitOptions): Kit {
  const { core, worker, pluginId, timeoutMs } = options;
  let ordinary: Promise<Delivery> | undefined;

  const kit: Kit = {
    ...options,
    ordinary: () => (ordinary ??= kit.settle(kit.attempt())),
    attempt(behaviour = {}, material = options.material, place = {}) {
      const message = stepMessage(core.url, { ...place, pluginId, timeoutMs }, material);
      const attempt = newAttempt(message, material, behaviour);
      core.add(attempt);
      return attempt;
    },
    async deliver(attempt, signing) {
      attempt.deliveries += 1;
      const answer = await worker.post(attempt.message, signing);
      if (answer.status === 202) attempt.acceptedAt ??= Date.now();
      if (answer.status === 200) core.recordAnswer(attempt, answer.body);
      return answer;
    },
    async settle(attempt, signing) {
      const answer = await kit.deliver(attempt, signing);
      const isOver = (): true | undefined => attempt.outcome !== null || undefined;
      if (answer.status === 202) await core.until(isOver, timeoutMs);
      return { attempt, answer };
    },
  };

  return kit;
}
