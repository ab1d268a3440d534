import assert from 'node:assert/strict';
import { runTemporalWorker } from '@knowledge-warehouse/plugin/host';

describe('a worker of Temporal', () => {
  it('that fails ends, although its run() never settles', async () => {
    let state = 'RUNNING';
    const worker = {
      options: { taskQueue: 'kw-core' },
      run: () => new Promise<void>(() => (state = 'FAILED')),
      getState: () => state,
    };
    await assert.rejects(runTemporalWorker(worker), /task queue kw-core failed/);
  });
});
