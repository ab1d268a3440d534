import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { createAttemptCallback } from '../../packages/plugin/src/workers/attempt/attempt-callback.js';
import { createAttemptControl } from '../../packages/plugin/src/workers/attempt/attempt-control.js';
import { createAttemptProgress } from '../../packages/plugin/src/workers/attempt/attempt-progress.js';
import { runAttempt } from '../../packages/plugin/src/workers/attempt/run-attempt.js';
import { createCoreClient } from '../../packages/plugin/src/workers/core/core-client.js';
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

  it('does not run the plugin if it ended before', async () => {
    const callback = { upload: never, read: never, tell: never, report: never };
    const control = createAttemptControl(60_000);
    const watch = { heartbeatMs: null, heedsCancel: false };
    const progress = createAttemptProgress(callback, control, silent, watch);
    control.end('STOPPED');
    const ended = { ...plugin, run: never };
    const outcome = await runAttempt({ plugin: ended, message, callback, control, progress, log: silent });
    assert.deepEqual(outcome, { kind: 'ENDED', cause: 'STOPPED' });
  });

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

  it('warns once about a plugin whose run returns a value', async () => {
    const warnings: string[] = [];
    const log = { ...silent, warn: (_: unknown, text: string) => void warnings.push(text) };
    const callback = {
      upload: never,
      read: never,
      tell: never,
      report: () => Promise.resolve({ cancelRequested: false }),
    };
    const run = (): Promise<never> => Promise.resolve({ text: 'a' } as never);
    const returning = { ...plugin, run };
    for (const each of [returning, returning]) {
      const control = createAttemptControl(60_000);
      const progress = createAttemptProgress(callback, control, silent, {
        heartbeatMs: null,
        heedsCancel: true,
      });
      await runAttempt({ plugin: each, message, callback, control, progress, log });
    }
    assert.deepEqual(warnings, ['run returned a value, which is ignored: artifacts are stored by ctx.emit']);
  });

  it('keeps its outcome while something other than Core answers, such as a page during maintenance', async () => {
    const answers: [status: number, body: string][] = [
      [200, '<html>'],
      [302, ''],
      [200, '{"cancel_requested":true}'],
    ];
    const server = createServer((_, response) => {
      const [status, body] = answers.shift()!;
      response.writeHead(status, { location: '/maintenance' }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = createCoreClient();
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
      const callback = createAttemptCallback(client, { ...message, callback: { url, token: 't' } }, silent);
      const report = (): Promise<unknown> =>
        callback.report({ status: 'SUCCESS', artifacts: [] }, new AbortController().signal);
      assert.deepEqual(await report(), { cancelRequested: true });
      assert.equal(answers.length, 0);
      answers.push([308, '']);
      await assert.rejects(report(), /is not the address of the service: it redirects/);
    } finally {
      await client.close();
      server.close();
    }
  });
});
