import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { createAttemptControl } from '../../packages/plugin/src/workers/attempt/attempt-control.js';
import { createAttemptProgress } from '../../packages/plugin/src/workers/attempt/attempt-progress.js';
import { runAttempt } from '../../packages/plugin/src/workers/attempt/run-attempt.js';
import { CoreError } from '../../packages/plugin/src/workers/core/core-error.js';
import { eventually } from '../support/eventually.js';
import { silent } from './support/probe.js';

describe('an attempt of an HTTP worker', () => {
  const plugin = definePlugin({
    ...{ id: 'note', name: 'Note', version: '1.0.0', produces: ['note'], heartbeatSeconds: 1 },
    async run(ctx) {
      ctx.progress(0.5);
      await ctx.emit({ type: 'note', content_type: 'text', content: 'a' });
    },
  });
  const message: any = {
    ...{ run: 1, step_index: 0, inputs: [] },
    resource: { id: 'r', name: 'R', type: 't', source_type: 'text', source_url: 'http://core/source' },
    attempt: { number: 1, max: 1, deadline: '2100-01-01T00:00:00Z' },
    plugin: { id: 'note', config: {} },
  };
  const never = (): never => assert.fail('this request is not expected');

  it('sends heartbeats until its outcome is accepted, and none afterwards, also if Core is slow', async () => {
    const heartbeatMs = 50;
    let beats = 0;
    let state: 'WORKING' | 'REPORTING' | 'DONE' = 'WORKING';
    const callback = {
      ...{ upload: never, read: never },
      async tell() {
        beats += 1;
        assert.notEqual(state, 'DONE');
        await pause(3 * heartbeatMs);
        // Core may have taken the outcome already, and the attempt is then closed for heartbeats.
        if (state !== 'WORKING') throw CoreError.ofAnswer(409, undefined, '');
        return { cancelRequested: false };
      },
      async report() {
        state = 'REPORTING';
        const sent = beats;
        await eventually(() => beats > sent + 2);
        state = 'DONE';
        return { cancelRequested: false };
      },
    };
    const control = createAttemptControl(60_000);
    const progress = createAttemptProgress(callback, control, silent, { heartbeatMs, heedsCancel: true });
    const outcome = await runAttempt({ plugin, message, callback, control, progress, log: silent });
    assert.deepEqual(outcome, { kind: 'SUCCESS' });
    const sent = beats;
    await pause(4 * heartbeatMs);
    assert.equal(beats, sent);
  });
});
