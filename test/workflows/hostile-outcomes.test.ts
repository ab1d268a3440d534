import assert from 'node:assert/strict';
import { ApplicationFailure, RawValue } from '@temporalio/common';
import { dataConverter } from '@knowledge-warehouse/plugin/temporal';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';

const half = '\ud800';
/** Halves of a character, also where a limit cuts one in two, in short and in long texts. */
const hostile = [half, '\udc00x', `${half}${half}`, `${'x'.repeat(1_999)}😀`, `x${half}`.repeat(4_000), '\0'];

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

describe('outcomes with', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let work: () => unknown;
  /** One that uses our data converter, and one that does not. */
  let stopWorkers: readonly (() => Promise<void>)[];

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
    const far = { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint };
    const [near, odd] = ['near', 'odd'].map((id) => ({
      id,
      name: id,
      kind: 'activity',
      task_queue: id,
      activity_type: 'work',
    }));
    for (const plugin of [far, near, odd])
      assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    for (const plugin_id of ['far', 'near', 'odd'])
      await core.pipeline(plugin_id, { plugin_id, max_attempts: 2, backoff_seconds: 0, timeout_seconds: 30 });
    const activities = { work: () => Promise.resolve().then(work) };
    stopWorkers = await Promise.all([
      startAuthorsWorker(core, 'near', activities, { dataConverter }),
      startAuthorsWorker(core, 'odd', activities),
    ]);
  });
  after(async () => {
    await Promise.all(stopWorkers.map((stop) => stop()));
    await worker.stop();
    await core.stop();
  });

  describe('strings that are not well-formed:', () => {
    const assertFailed = async (type: string, count: number): Promise<void> => {
      const made = await Promise.all(
        Array.from({ length: count }, (_, index) => core.upload(type, `${index}`)),
      );
      for (const { id } of made) {
        const { status, error } = await core.settled(id, 60_000);
        assert.equal(status, 'FAILED');
        assert.doesNotMatch(error.code, /^(INTERNAL|STEP_TIMED_OUT)$/, error.message);
        for (const text of [error.code, error.message]) assert.ok(text.isWellFormed(), JSON.stringify(text));
      }
      // Nobody else is kept from work.
      work = () => undefined;
      worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
      for (const other of ['far', 'near'])
        assert.equal((await core.settled((await core.upload(other)).id, 60_000)).status, 'COMPLETED');
    };
    const errors = hostile.flatMap((text) => [
      { code: 'ODD', message: text, details: { [text]: [text] } },
      { code: text.slice(0, 100), message: 'odd' },
    ]);

    it('in the outcome that an HTTP worker returns or reports', async () => {
      let count = 0;
      const next = (): object => ({ ...errors[count++ % errors.length], retryable: true });
      // Each error ends a first attempt, after which the step pauses, and a last one.
      worker.handle = () => ({ status: 200, body: { status: 'FAILURE', error: next() } });
      await assertFailed('far', errors.length);
      // The same code stores them, so each error once is enough.
      worker.handle = (step) => {
        void worker.report(step, { status: 'FAILURE', error: next() });
        return { status: 202 };
      };
      await assertFailed('far', errors.length / 2);
    });

    it('in the failure of an activity', async () => {
      const left = [...errors];
      work = () => {
        const { code, message, details } = left.pop() as { code: string; message: string; details?: object };
        throw ApplicationFailure.nonRetryable(message, code, details);
      };
      await assertFailed('near', errors.length);
    });

    it('and failures that cannot be stored unchanged keep their code', async () => {
      const endless: Error & { cause?: unknown } = new Error('endless');
      endless.cause = endless;
      const odd = [
        ApplicationFailure.create({ type: 'ENDLESS', message: 'odd', nonRetryable: true, cause: endless }),
        ApplicationFailure.nonRetryable('odd', 'UNWRITABLE', { id: 1n }),
        ApplicationFailure.nonRetryable('x'.repeat(3 * 1024 * 1024), 'LONG'),
      ];
      for (const failure of odd) {
        work = () => {
          throw failure;
        };
        const { error } = await core.settled((await core.upload('near')).id, 60_000);
        assert.equal(error.code, failure.type);
      }
    });
  });

  describe('unreadable values:', () => {
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
});
