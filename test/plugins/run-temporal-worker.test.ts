import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { runTemporalWorker } from '@knowledge-warehouse/plugin/host';

describe('a worker of Temporal', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  const options = { taskQueue: 'kw-core' };
  const getState = (): string => 'FAILED';

  it('that fails ends, although its run() never settles', async () => {
    const ended = runTemporalWorker({ options, getState, run: () => new Promise(() => undefined) });
    mock.timers.tick(3_000);
    await assert.rejects(ended, /task queue kw-core failed/);
  });

  it('that fails and settles throws its own error', async () => {
    let fail: (error: Error) => void = () => undefined;
    const run = (): Promise<void> => new Promise((_resolve, reject) => (fail = reject));
    const ended = runTemporalWorker({ options, getState, run });
    mock.timers.tick(2_000);
    fail(new Error('The namespace is gone.'));
    await assert.rejects(ended, /namespace is gone/);
  });
});
