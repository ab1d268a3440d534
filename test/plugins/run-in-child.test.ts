import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PluginFailure } from '../../plugins/sdk/index.js';
import { childModule, runInChild, type ChildLimits } from '../../plugins/sdk/run-in-child.js';
import type { Behaviour } from './support/hostile-child.js';

const module = childModule('support/hostile-child', import.meta.url);

interface Report {
  readonly pid: number;
  readonly startedAt: number;
  readonly environment: readonly string[];
  readonly sizeBytes: number;
  readonly last: string;
}

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
    const [{ environment, sizeBytes, last }] = messages as [Report];
    const given = environment.filter((name) => !/^(__CF|PWD$|OLDPWD$|SHLVL$|_$)/.test(name));
    assert.deepEqual({ given, sizeBytes, last }, { given: [], sizeBytes: 100_004, last: 'last' });
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

  it('has a process stand by for the next task of the kind; each serves one, with its own source', async () => {
    const reports: Report[] = [];
    const limits = { timeoutSeconds: 29 };
    const report = async (source: string): Promise<void> => {
      await run('report', {
        limits,
        input: Readable.from([source]),
        onMessage: (it) => reports.push(it as Report),
      });
    };
    await report('the first');
    await setTimeout(50);
    const asked = Date.now();
    await report('second');
    const [first, second] = reports as [Report, Report];
    assert.deepEqual([first.last, second.last], ['irst', 'cond']);
    assert.notEqual(first.pid, second.pid);
    assert(second.startedAt < asked);
  });

  it('starts another process where the one that stood by is gone', async () => {
    const limits = { timeoutSeconds: 28 };
    await run('quiet', { limits });
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
    const waiting = stdout.split('\n').flatMap((line) => {
      const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(parent) === process.pid && args.includes('hostile-child') ? [Number(pid)] : [];
    });
    assert.notEqual(waiting.length, 0);
    for (const pid of waiting) process.kill(pid, 'SIGKILL');
    await setTimeout(200);
    const messages: unknown[] = [];
    await run('report', { limits, onMessage: (body) => messages.push(body) });
    assert.equal(messages.length, 1);
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
