import assert from 'node:assert/strict';
import { runActivityWorker } from '@knowledge-warehouse/plugin';
import { eventually } from '../support/eventually.js';
import { proxyTo } from '../support/network/proxy.js';
import { createDatabase } from '../support/servers/postgres.js';
import { startTemporal } from '../support/servers/temporal.js';
import { createRestClient } from '../support/service/rest-client.js';
import { startStack } from '../support/service/stack.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';

/** The SDK takes about a minute to see that its namespace is gone. */
describe('a lost Temporal namespace', () => {
  it('ends each worker, and a restarted one continues once the namespace is back', async () => {
    const [database, temporal] = await Promise.all([createDatabase(), startTemporal()]);
    const proxy = await proxyTo(temporal.config.address);
    const { address } = proxy;
    const secret = 'a-secret-of-the-tests-alone';
    const env = { ...temporal.env, DATABASE_URL: database.url, TEMPORAL_ADDRESS: address, KW_SECRET: secret };
    const stack = await startStack({ env });
    const { namespace } = temporal.config;
    const plugin = notePlugin((ctx) => emitNote(ctx, 'done'));
    let isPolling = false;
    const ofPlugin = runActivityWorker([plugin], {
      ...{ url: stack.api, apiKey: stack.adminKey, temporal: { address, namespace } },
      log: { info: (_fields, text) => (isPolling ||= text === 'the worker is ready'), warn() {}, error() {} },
    });
    await eventually(() => isPolling);

    await temporal.deleteNamespace();
    const ended = assert.rejects(ofPlugin, /Temporal worker of the task queue kw-plugin-note failed/);
    // New polls are refused at once; open ones last a minute.
    await eventually(() => (proxy.cut(), stack.output().includes('worker has ended (exit code 1)')), {
      intervalMs: 1_000,
    });
    await ended;
    await eventually(() => /Worker did not start .*namespace/.test(stack.output()));

    await temporal.remakeNamespace();
    const client = createRestClient(stack);
    const { id } = await client.upload('document', { text: 'It is read after the recovery.' });
    assert.equal((await client.settled(id)).status, 'COMPLETED');
    assert.equal(await stack.stop(), 0);
    await proxy.stop();
    await database.drop();
  });
});
