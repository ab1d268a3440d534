import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { PluginFailure } from '../../plugins/sdk/index.js';
import { childModule, runInChild, type ChildLimits } from '../../plugins/sdk/run-in-child.js';
import type { Behaviour } from './support/hostile-child.js';

const module = childModule('support/hostile-child', import.meta.url);

async function run(
  behaviour: Behaviour,
  options: {
    limits?: Partial<ChildLimits>;
    input?: Readable;
    signal?: AbortSignal;
    onMessage?: (body: unknown) => void;
  } = {},
): Promise<void> {
  await runInChild({
    module,
    request: behaviour,
    input: () => Promise.resolve(options.input ?? Readable.from(['source'])),
    limits: { memoryMb: 192, timeoutSeconds: 30, outputBytes: 1_000_000, ...options.limits },
    signal: options.signal ?? new AbortController().signal,
    subject: 'TASK',
    onMessage: options.onMessage ?? (() => undefined),
  });
}

async function failure(...args: Parameters<typeof run>): Promise<PluginFailure> {
  const error: unknown = await run(...args).catch((reason: unknown) => reason);
  assert(error instanceof PluginFailure, String(error));
  return error;
}

describe('runInChild', () => {
  it('gives the task its source and no environment, and hands on its messages', async () => {
    const messages: unknown[] = [];
    const input = Readable.from([Buffer.alloc(100_000, 'x'), Buffer.from('last')]);
    await run('report', { input, onMessage: (body) => messages.push(body) });
    // macOS sets __CF_USER_TEXT_ENCODING in every process; a shell sets PWD and the like.
    const [report] = messages as [{ environment: string[] }];
    const environment = report.environment.filter((name) => !/^(__CF|PWD$|OLDPWD$|SHLVL$|_$)/.test(name));
    assert.deepEqual([{ ...report, environment }], [{ environment: [], sizeBytes: 100_004, last: 'last' }]);
  });

  it('runs no more at once than there are processors, and all of them in the end', async () => {
    const most = Math.max(2, availableParallelism());
    let atWork = 0;
    let peak = 0;
    const task = async (): Promise<void> => {
      const input = new Readable({
        read() {
          peak = Math.max(peak, (atWork += 1));
          this.push(null);
        },
      });
      await run('quiet', { input });
      atWork -= 1;
    };
    await Promise.all(Array.from({ length: 3 * most }, task));
    assert.equal(peak, most);
  });

  it('throws the failure that the task threw', async () => {
    const { code, message, options } = await failure('fail');
    assert.deepEqual(
      { code, message, options },
      {
        code: 'SOME_CODE',
        message: 'as asked',
        options: { retryable: true, details: { page: 7 } },
      },
    );
  });

  const ends: readonly (readonly [Behaviour, string, Partial<ChildLimits>?])[] = [
    ['throw', 'TASK_CRASHED'],
    ['loop', 'TASK_TIMED_OUT', { timeoutSeconds: 1 }],
    ['heap', 'TASK_OUT_OF_MEMORY'],
    ['buffers', 'TASK_OUT_OF_MEMORY'],
    ['flood', 'OUTPUT_TOO_LARGE'],
    ['abort', 'TASK_CRASHED'],
    ['segfault', 'TASK_CRASHED'],
    ['quit', 'TASK_CRASHED'],
  ];
  for (const [behaviour, code, limits = {}] of ends) {
    it(`turns "${behaviour}" into ${code}`, async () => {
      const error = await failure(behaviour, { limits });
      assert.equal(error.code, code);
      assert.equal(error.options.retryable, false);
    });
  }

  it('kills a busy task when the signal aborts, and throws its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const onMessage = (): void => controller.abort(reason);
    await assert.rejects(run('loop', { signal: controller.signal, onMessage }), reason);
  });

  it('leaves the failure of the source as it is', async () => {
    const broken = new Error('connection lost');
    const input = new Readable({ read: () => input.destroy(broken) });
    await assert.rejects(run('report', { input }), broken);
  });
});
