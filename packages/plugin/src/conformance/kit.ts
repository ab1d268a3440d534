import { randomUUID } from 'node:crypto';
import { buildStepMessage } from '../protocol/step-message.js';
import type { StepMessage } from '../protocol/step.js';
import type { Attempt, Behaviour } from './attempt.js';
import type { FakeCore } from './fake-core.js';
import type { Material } from './material.js';
import type { CheckedWorker, Signing, WorkerAnswer } from './worker.js';

/** What rules check a worker with. */
export interface Kit {
  readonly core: FakeCore;
  readonly worker: CheckedWorker;
  readonly material: Material;
  readonly pluginId: string;
  readonly timeoutMs: number;
  /** How long after a refusal or a cancellation a worker may still send what was on its way. */
  readonly graceMs: number;
  readonly heartbeatSeconds: number | undefined;
  readonly failing: readonly Material[];
  /** The ordinary attempt of which several rules judge, delivered once. */
  ordinary(): Promise<Delivery>;
  /** An attempt of its own resource that has not been delivered. */
  attempt(behaviour?: Behaviour, material?: Material): Attempt;
  /** Delivers an attempt, and keeps a report that is the answer. Rejects with WorkerAway when there is no answer. */
  deliver(attempt: Attempt, signing?: Signing): Promise<WorkerAnswer>;
  /** Delivers an attempt and waits until it is settled or `timeoutMs` are over. */
  settle(attempt: Attempt, signing?: Signing): Promise<Delivery>;
}

/** An attempt that was delivered, and what the worker answered to that. */
export interface Delivery {
  readonly attempt: Attempt;
  readonly answer: WorkerAnswer;
}

export type KitOptions = Omit<Kit, 'ordinary' | 'attempt' | 'deliver' | 'settle'>;

const run = 1;

export function createKit(options: KitOptions): Kit {
  const { core, worker, pluginId, timeoutMs } = options;
  let ordinary: Promise<Delivery> | undefined;

  const kit: Kit = {
    ...options,
    ordinary: () => (ordinary ??= kit.settle(kit.attempt())),
    attempt(behaviour = {}, material = options.material) {
      const attempt: Attempt = {
        message: stepMessage(material),
        behaviour,
        material,
        reports: [],
        reads: [],
        uploads: new Map(),
        refusedUploads: [],
        outcome: null,
        acceptedAt: null,
      };
      core.add(attempt);
      return attempt;
    },
    async deliver(attempt, signing) {
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

  function stepMessage({ source, inputs, config }: Material): StepMessage {
    // Long enough for a worker to try again whatever a rule makes fail.
    const remainingMs = 2 * timeoutMs + 60_000;
    return buildStepMessage({
      base: core.url,
      token: `kwt_${randomUUID()}`,
      resource: {
        id: randomUUID(),
        name: 'A resource made up by "kw plugins check"',
        type: 'check',
        source_type: 'UPLOAD',
        media_type: source.media_type,
        size_bytes: source.bytes.byteLength,
        sha256: null,
        metadata: {},
      },
      step: { index: inputs.length === 0 ? 0 : 1, run, plugin_id: pluginId },
      attempt: { number: 1, max: 3, deadline: new Date(Date.now() + remainingMs) },
      deadline: { remainingMs },
      inputs: inputs.map(({ type, content_type }) => ({
        id: randomUUID(),
        type,
        content_type,
        metadata: {},
      })),
      config,
    });
  }
  return kit;
}
