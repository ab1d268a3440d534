import assert from 'node:assert/strict';
import { createAwakeTime } from '../../runtime/sweeps/awake-time.js';
import { eventually } from '../support/eventually.js';

describe('the time that a process has been awake', () => {
  it('starts again at zero after the process was frozen', async () => {
    const awake = createAwakeTime();
    await eventually(() => awake.sinceBreak() > 0.5);
    const beganAt = performance.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    const seconds = awake.sinceBreak();
    assert.ok(performance.now() - beganAt >= 2_000);
    assert.ok(seconds < 0.5, `${seconds}`);
    await eventually(() => awake.sinceBreak() > seconds);
    assert.ok(awake.sinceLongBreak() > 2.5, 'a short break is not a long one');
    awake.restart();
    assert.ok(awake.sinceLongBreak() < 2.5);
  });
});
