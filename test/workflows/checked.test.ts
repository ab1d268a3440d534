import assert from 'node:assert/strict';
import type { StepSnapshot } from '../../core/runs/run-protocol.js';
import { toInstruction } from '../../workflows/checked.js';

const step: StepSnapshot = {
  index: 0,
  plugin_id: 'p',
  kind: 'activity',
  task_queue: 'kw-core',
  activity_type: 'p',
  endpoint: null,
  heartbeat_seconds: null,
  max_attempts: 3,
  backoff_seconds: 7_200,
  timeout_seconds: 60,
};

describe('an instruction in a result that anyone may have forged', () => {
  const end = { do: 'END', status: 'CANCELLED', code: null, message: null };

  it('ends a run only if it is complete', () => {
    const cancelled = { index: 0, attempt: 1 };
    for (const valid of [end, { ...end, code: 'X', message: 'y' }, { ...end, cancelled }])
      assert.deepEqual(toInstruction(valid, [step]), valid);
    for (const forged of [
      { ...end, status: 'PROCESSING' },
      { ...end, code: 7 },
      { ...end, message: undefined },
      { ...end, cancelled: null },
      { ...end, cancelled: [0, 1] },
      { ...end, cancelled: { index: 0, attempt: '1' } },
    ])
      assert.equal(toInstruction(forged, [step]), null, JSON.stringify(forged));
  });

  it('pauses and waits no longer than Core itself', () => {
    const run = { do: 'RUN', index: 0, attemptBase: 1, attemptsLeft: 1, coreUrl: 'http://core' };
    const pauseOf = (delayMs: number, steps: readonly StepSnapshot[]): unknown =>
      toInstruction({ ...run, delayMs }, steps);
    assert.deepEqual(pauseOf(3e12, [step]), { ...run, delayMs: 7_200_000 });
    assert.deepEqual(pauseOf(3e12, [{ ...step, backoff_seconds: 1 }]), { ...run, delayMs: 3_600_000 });
    assert.deepEqual(pauseOf(500, [step]), { ...run, delayMs: 500 });
    const wait = { do: 'WAIT', index: 0, attempt: 1 };
    assert.deepEqual(toInstruction({ ...wait, remainingMs: 3e12 }, [step]), { ...wait, remainingMs: 60_000 });
  });
});
