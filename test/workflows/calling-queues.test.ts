import assert from 'node:assert/strict';
import { startCore, type TestCore } from '../support/service/core.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { noop } from '../support/workers/no-op-plugin.js';
import { eventually } from '../support/eventually.js';

/** More than the activities that a Temporal worker runs at once by default. */
const silent = 101;

describe('an HTTP plugin that does not answer', () => {
  let core: TestCore;
  let worker: HttpWorker;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [noop] }), startHttpWorker()]);
    worker.handle = () => undefined;
    worker.answer = () => undefined;
    const plugin = { id: 'silent', name: 'Silent', kind: 'http', endpoint: worker.endpoint };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('held', { plugin_id: 'silent', timeout_seconds: 600 });
    await core.pipeline('free', { plugin_id: noop.id });
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  it('delays neither other plugins nor a cancellation, however many of its steps wait', async () => {
    for (let number = 0; number < silent; number += 1) await core.upload('held', String(number));
    const waiting = (): Set<string> => new Set(worker.arrived.map(({ message }) => message.resource.id));
    await eventually(() => waiting().size === silent);

    const { id } = await core.upload('free');
    assert.equal((await core.settled(id)).status, 'COMPLETED');

    const cancel = { action: 'cancel', filter: { type: ['held'] } };
    const { body, status } = await core.call('POST', '/operations', cancel);
    assert.equal(status, 202, JSON.stringify(body));
    const operation = await eventually(async () => {
      const answer = await core.call('GET', `/operations/${body.id}`);
      return answer.body.status !== 'RUNNING' && answer.body;
    });
    assert.equal(operation.done, silent, JSON.stringify(operation));
    await eventually(async () => {
      const { body: page } = await core.call(
        'GET',
        '/resources?type=held&status=CANCELLED&count=true&limit=1',
      );
      return page.total.value === silent;
    });
  });
});
