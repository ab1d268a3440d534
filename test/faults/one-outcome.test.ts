import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/workers/http-worker.js';

const rounds = isFull ? 40 : 6;
const success = { status: 'SUCCESS', artifact: { type: 'note', content_type: 'text', content: 'x' } };

/** What became of a resource, as each of those says it who may be asked. */
interface Outcome {
  readonly answer: number;
  readonly code: string | null;
  readonly reason: string | null;
  readonly resource: string;
  readonly error: string | null;
  readonly attempt: string;
  readonly workflow: string;
  readonly artifacts: number;
}

describe('a success that is reported at the moment', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let temporal: TemporalClient;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
    temporal = await connectTemporal(core.deps.config.temporal);
    await core.call('POST', '/plugins', { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint });
    await core.pipeline('hasty', { plugin_id: 'far', max_attempts: 1, timeout_seconds: 2 });
    await core.pipeline('once', { plugin_id: 'far', max_attempts: 1, timeout_seconds: 60 });
  });
  beforeEach(() => {
    worker.arrived.length = 0;
    worker.handle = () => ({ status: 202 });
  });
  after(async () => {
    await core.stop();
    await temporal.close();
    await worker.stop();
  });

  const register = async (type: string): Promise<{ id: string; step: ArrivedStep }> => {
    const { id } = await core.upload(type);
    const step = await eventually(() => worker.arrived.find(({ message }) => message.resource.id === id));
    return { id, step };
  };
  const outcomeOf = async (
    id: string,
    { status: answer, body }: Awaited<ReturnType<HttpWorker['report']>>,
  ): Promise<Outcome> => {
    const resource = await core.settled(id);
    const error = body['error'] as { code: string; details: { reason: string } } | undefined;
    const handle = temporal.client.workflow.getHandle(resource.workflow_id);
    const workflow = await eventually(async () => {
      const { name } = (await handle.describe()).status;
      return name !== 'RUNNING' && name;
    });
    const [attempt] = await core.deps.db('attempts').where({ resource_id: id });
    return {
      answer,
      code: error?.code ?? null,
      reason: error?.details.reason ?? null,
      resource: resource.status,
      error: resource.error?.code ?? null,
      attempt: attempt.outcome,
      workflow,
      artifacts: resource.artifacts.length,
    };
  };
  /** Each is one of the two in everything, and both were met. */
  const assertOneOutcome = (outcomes: readonly Outcome[], late: Outcome): void => {
    const accepted: Outcome = {
      answer: 200,
      code: null,
      reason: null,
      resource: 'COMPLETED',
      error: null,
      attempt: 'SUCCESS',
      workflow: 'COMPLETED',
      artifacts: 1,
    };
    for (const outcome of outcomes) assert.deepEqual(outcome, outcome.answer === 200 ? accepted : late);
    assert.ok(wereBothMet(outcomes), `all of ${outcomes.length} were the same: no race`);
  };
  const wereBothMet = (outcomes: readonly Outcome[]): boolean =>
    outcomes.some(({ answer }) => answer === 200) && outcomes.some(({ answer }) => answer !== 200);
  /**
   * Reports in as many rounds, from well before the instant to well after it. While all come to the same, because that
   * instant lies elsewhere here, there are more, each time later or earlier by so much.
   */
  const race = async (
    { from, to, together }: { readonly from: number; readonly to: number; readonly together: number },
    round: (atMs: number) => Promise<Outcome>,
  ): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    const run = async (count: number, shift: number): Promise<void> => {
      for (let first = 0; first < count; first += together) {
        const batch = Array.from({ length: Math.min(together, count - first) }, (_, index) =>
          round(shift + from + ((to - from) * (first + index)) / count),
        );
        outcomes.push(...(await Promise.all(batch)));
      }
    };
    await run(rounds, 0);
    let shift = 0;
    for (let tries = 0; tries < 20 && !wereBothMet(outcomes); tries++) {
      shift += (to - from) * (outcomes[0]!.answer === 200 ? 1 : -1);
      await run(rounds, shift);
    }
    return outcomes;
  };
  const closed = { answer: 409, code: 'ATTEMPT_CLOSED', artifacts: 0 };

  it('its attempt times out: it counts or it is late', async () => {
    const outcomes = await race({ from: -150, to: 300, together: rounds }, async (atMs) => {
      const { id, step } = await register('hasty');
      await pause(Math.max(0, Date.parse(step.message.attempt.deadline) - Date.now() + atMs));
      return await outcomeOf(id, await worker.report(step, success));
    });
    assertOneOutcome(outcomes, {
      ...closed,
      reason: 'TIMED_OUT',
      resource: 'FAILED',
      error: 'STEP_TIMED_OUT',
      attempt: 'TIMED_OUT',
      workflow: 'FAILED',
    });
  });

  it('its run is cancelled: it counts or it is late', async () => {
    const outcomes = await race({ from: -20, to: 100, together: rounds / 2 }, async (atMs) => {
      const { id, step } = await register('once');
      const [, answer] = await Promise.all([
        pause(Math.max(0, -atMs)).then(() => core.call('POST', `/resources/${id}/cancel`)),
        pause(Math.max(0, atMs)).then(() => worker.report(step, success)),
      ]);
      return await outcomeOf(id, answer);
    });
    assertOneOutcome(outcomes, {
      ...closed,
      reason: 'CANCELLED',
      resource: 'CANCELLED',
      error: null,
      attempt: 'CANCELLED',
      workflow: 'CANCELLED',
    });
  });

  it('its delivery fails: it counts or it is late', async () => {
    const held = new Map<string, () => void>();
    worker.handle = async ({ message }) => {
      await new Promise<void>((resolve) => held.set(message.resource.id, resolve));
      return { status: 503 };
    };
    const outcomes = await race({ from: -250, to: 250, together: rounds / 2 }, async (atMs) => {
      const { id, step } = await register('once');
      const fail = await eventually(() => held.get(id));
      const [, answer] = await Promise.all([
        pause(Math.max(0, -atMs)).then(fail),
        pause(Math.max(0, atMs)).then(() => worker.report(step, success)),
      ]);
      return await outcomeOf(id, answer);
    });
    assertOneOutcome(outcomes, {
      ...closed,
      reason: 'SETTLED',
      resource: 'FAILED',
      error: 'DELIVERY_FAILED',
      attempt: 'FAILURE',
      workflow: 'FAILED',
    });
  });
});
