/**
 * Records histories for `test/workflows/replay.test.ts`: `node --import tsx test/replay/record.ts NAME`. NAME is the release.
 * Every release must replay the histories of the releases before it, so record a new folder when a release changes a
 * workflow, and keep the old ones.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runWorkflowId } from '../../core/ids.js';
import { operationWorkflowId } from '../../core/operations.js';
import { cleanUpWorkflowId } from '../../core/runs/run-protocol.js';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { findTemporal } from '../../runtime/embedded/temporal/binary.js';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker } from '../support/workers/http-worker.js';
import { createDatabase } from '../support/servers/postgres.js';
import { proxyTo } from '../support/network/proxy.js';
import { stopShared } from '../support/shared/servers.js';

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('Name the release that the histories are of.');
const folder = join(import.meta.dirname, name);
if (existsSync(folder)) throw new Error(`${folder} exists already.`);

let interruptions = 0;
const echo = definePlugin({
  id: 'echo',
  name: 'Echo',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['text'],
  async run(ctx) {
    const text = (await ctx.source.buffer()).toString();
    if (text === 'fail') ctx.fail('NO', 'as asked', { retryable: false });
    if (text === 'interrupt' && interruptions++ === 0) {
      await new Promise((_resolve, reject) =>
        ctx.signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    }
    await ctx.emit({ type: 'text', content_type: 'text', content: text });
  },
});

const database = await createDatabase();
const proxy = await proxyTo(database.url);
const url = new URL(database.url);
url.host = proxy.address;
const [core, worker] = await Promise.all([
  startCore({ plugins: [echo], database: { url: url.href }, env: { KW_URL_ALLOW: '127.0.0.1' } }),
  startHttpWorker(),
]);
const remote = { id: 'remote', name: 'Remote', kind: 'http', endpoint: worker.endpoint };
await core.call('POST', '/plugins', remote);
const bounds = { max_attempts: 2, backoff_seconds: 0.1, timeout_seconds: 2 };
await core.pipeline('built-in', { plugin_id: 'echo', ...bounds }, { plugin_id: 'echo', ...bounds });
await core.pipeline('http', { plugin_id: 'remote', ...bounds });
const own = { id: 'own', name: 'Own', kind: 'activity', task_queue: 'authors-queue', activity_type: 'work' };
await core.call('POST', '/plugins', own);
await core.pipeline('own', { plugin_id: 'own', ...bounds });
const stopAuthorsWorker = await startAuthorsWorker(core, 'authors-queue', {
  work: () => Promise.resolve({ artifacts: [{ type: 'text', content_type: 'text', content: 'done' }] }),
});

/** Scenario → workflow id. */
const recorded: Record<string, string> = {};
const upload = async (scenario: string, type: string, text = 'hello'): Promise<string> => {
  const { id } = await core.upload(type, text);
  recorded[scenario] = runWorkflowId(id, 1);
  return id;
};

await core.settled(await upload('two-built-in-steps', 'built-in'));
await core.settled(await upload('a-final-failure', 'built-in', 'fail'));
await core.settled(await upload('a-step-of-a-plugins-own-worker', 'own'));
const deleted = await upload('an-outcome-in-the-reply', 'http');
await core.settled(deleted);
worker.handle = () => ({ status: 503 });
await core.settled(await upload('deliveries-that-fail', 'http'));
worker.handle = () => ({ status: 202 });
await core.settled(await upload('reports-that-never-come', 'http'));
worker.handle = (step) => {
  const failed = { status: 'FAILURE', error: { code: 'ONCE', message: 'once' } };
  setTimeout(
    () => void worker.report(step, step.message.attempt.number === 1 ? failed : { status: 'SUCCESS' }),
    50,
  );
  return { status: 202 };
};
await core.settled(await upload('a-callback-after-a-failed-one', 'http'));
worker.handle = () => ({ status: 202 });
worker.arrived.length = 0;
const cancelled = await upload('a-cancelled-run', 'http');
await eventually(() => worker.arrived.length === 1);
await core.call('POST', `/resources/${cancelled}/cancel`);
await core.settled(cancelled);
const interrupted = await upload('an-interrupted-step', 'built-in', 'interrupt');
await eventually(() => interruptions === 1);
await core.restartWorker();
await core.settled(interrupted);
const source = { kind: 'URL', url: `${core.base}/health/live` };
const { body: fetched } = await core.call('POST', '/resources', { name: 'url', type: 'built-in', source });
recorded['a-fetched-url'] = runWorkflowId(fetched.id, 1);
await core.settled(fetched.id);
worker.arrived.length = 0;
worker.handle = () => ({ status: 202 });
const ids = [];
for (let at = 0; at < 90; at++) ids.push((await core.upload('unprocessed', 'hello')).id);
const { body: operation } = await core.call('POST', '/operations', { action: 'disable', ids });
recorded['a-bulk-operation'] = operationWorkflowId(operation.id);
await eventually(
  async () => (await core.call('GET', `/operations/${operation.id}`)).body.status === 'COMPLETED',
);
const waiting = await upload('a-database-away', 'http');
await eventually(async () => {
  const { body } = await core.call('GET', `/resources/${waiting}`);
  return body.steps[0].waiting_for?.kind === 'callback';
});
await proxy.set('refuse');
const { workflows } = core.deps;
await eventually(async () => {
  const pending = await workflows.pendingWork(waiting, 1, 1_000);
  return pending?.activities.some(
    ({ activityType, attempt }) => activityType === 'advanceRun' && attempt > 1,
  );
});
await proxy.set('pass');
await eventually(async () => (await worker.report(worker.arrived[0]!, { status: 'SUCCESS' })).status === 200);
await core.settled(waiting);
await core.call('PUT', '/plugins/remote', { ...remote, heartbeat_seconds: 1 });
worker.handle = () => ({ status: 202 });
await core.settled(await upload('a-worker-that-fell-silent', 'http'));
worker.answer = () => ({ status: worker.cleanUps(deleted).length < 3 ? 503 : 204 });
await core.call('DELETE', `/resources/${deleted}`);
recorded['a-clean-up'] = cleanUpWorkflowId({ resourceId: deleted });
await eventually(() => worker.cleanUps(deleted).length === 3);

const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
const { address, namespace } = core.deps.config.temporal;
const server = ['--address', address, '--namespace', namespace];
mkdirSync(folder);
for (const [scenario, workflowId] of Object.entries(recorded)) {
  const show = ['workflow', 'show', ...server, '--workflow-id', workflowId, '--output', 'json'];
  // The run is over; its workflow may still be about to end.
  const history = await eventually(() => {
    const shown = JSON.parse(execFileSync(binary, show, { encoding: 'utf8' })) as {
      events: { eventType: string }[];
    };
    return (
      /WORKFLOW_EXECUTION_(COMPLETED|FAILED|CANCELED)/.test(shown.events.at(-1)?.eventType ?? '') && shown
    );
  });
  // Where it was recorded is nobody's business.
  const text = JSON.stringify(history, null, 1)
    .replaceAll(`${process.cwd()}/`, '')
    .replaceAll(hostname(), 'recorder');
  writeFileSync(join(folder, `${scenario}.json`), `${text}\n`);
}
await stopAuthorsWorker();
await core.stop();
await proxy.stop();
await database.drop();
await worker.stop();
await stopShared();
