import assert from 'node:assert/strict';
import { ApplicationFailure, RawValue } from '@temporalio/common';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';

/** A value as a worker in any language may have encoded it. */
const encoded = (encoding: string, data: string): RawValue =>
  RawValue.fromPayload({ metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) });
const nested = encoded('json/plain', `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
const unreadable: readonly (readonly [string, RawValue, RegExp])[] = [
  ['nested deeper than a message may be', nested, /nested deeper than 68 levels/],
  [
    'with a number that JSON does not know',
    encoded('json/plain', '{"score": NaN}'),
    /cannot be read: .*JSON/,
  ],
  ['with a number that no double holds', encoded('json/plain', '{"a": {"b": 1e400}}'), /a double.*\/a\/b/],
  ['that the worker has encrypted', encoded('binary/encrypted', '…'), /cannot be read: .*binary\/encrypted/],
];

describe('unreadable results of a worker', () => {
  let core: TestCore;
  let work: () => unknown;
  let stopWorker: () => Promise<void>;

  before(async () => {
    core = await startCore({ plugins: [] });
    const plugin = { id: 'odd', name: 'Odd', kind: 'activity', task_queue: 'odd', activity_type: 'work' };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('odd', {
      plugin_id: 'odd',
      max_attempts: 3,
      backoff_seconds: 0,
      timeout_seconds: 20,
    });
    stopWorker = await startAuthorsWorker(core, 'odd', { work: () => Promise.resolve().then(work) });
  });
  after(async () => {
    await stopWorker();
    await core.stop();
  });

  const outcome = async (): Promise<any> => {
    const { id } = await core.upload('odd');
    const { status, error } = await core.settled(id);
    return { status, ...error };
  };

  for (const [name, value, message] of unreadable) {
    it(`a result ${name} ends the step`, async () => {
      work = () => value;
      const { status, code, message: said } = await outcome();
      assert.deepEqual([status, code], ['FAILED', 'INVALID_RESULT']);
      assert.match(said, message);
    });
  }

  for (const [name, value] of unreadable) {
    it(`details of a failure ${name} do not hide it`, async () => {
      work = () => {
        throw ApplicationFailure.nonRetryable('The disk is full.', 'FULL', value);
      };
      const { status, code, message } = await outcome();
      assert.deepEqual([status, code, message], ['FAILED', 'FULL', 'The disk is full.']);
    });
  }
});
