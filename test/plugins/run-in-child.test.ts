import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { PluginFailure } from '../../plugins/sdk/index.js';
import { childModule, runInChild, type ChildLimits } from '../../plugins/sdk/run-in-child.js';
import { temporaryFolder } from '../support/temporary.js';
import { eventually } from '../support/eventually.js';
import type { Behaviour } from './support/hostile-child.js';

const module = childModule('support/hostile-child', import.meta.url);

interface Report {
  readonly pid: number;
  readonly environment: readonly string[];
  readonly sizeBytes: number;
  readonly last: string;
}

async function run(
  behaviour: Behaviour,
  options: {
    limits?: Partial<ChildLimits>;
    preparation?: string;
    input?: Readable;
    signal?: AbortSignal;
    onMessage?: (body: unknown) => void;
  } = {},
): Promise<void> {
  await runInChild({
    module,
    request: behaviour,
    preparation: options.preparation ?? '',
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

/** The process id of a child of its own kind, at work or waiting, once it is there. */
function child(kind: string): Promise<number> {
  return eventually(async () => {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
    const own = stdout.split('\n').flatMap((line) => {
      const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(parent) === process.pid && args.endsWith(kind) ? [Number(pid)] : [];
    });
    return own[0];
  });
}

/** Resolves once the process is gone and this one has heard of it. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await eventually(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
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

  it('lets the task reach nothing but its source and its code', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'secret');
    const found: unknown[] = [];
    try {
      await runInChild({
        module: new URL('./support/prying-child.mjs', import.meta.url),
        request: { path, port: (server.address() as AddressInfo).port },
        input: () => Promise.resolve(Readable.from(['source'])),
        limits: { memoryMb: 512, timeoutSeconds: 30, outputBytes: 1_000_000 },
        signal: new AbortController().signal,
        subject: 'TASK',
        onMessage: (tried) => found.push(tried),
      });
    } finally {
      server.close();
    }
    const denied = 'ERR_ACCESS_DENIED';
    assert.deepEqual(Object.fromEntries(found as [string, string][]), {
      'read a file': denied,
      'read settings': denied,
      'write a file': denied,
      'make a folder': denied,
      'start a process': denied,
      'start a thread': denied,
      'read its source': 'done',
      'have a package': 'done',
      // Node's permissions cover the network from version 25 on.
      connect: process.allowedNodeEnvironmentFlags.has('--allow-net') ? denied : 'done',
    });
    assert.equal(readFileSync(path, 'utf8'), 'secret');
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
    const preparation = 'a spare';
    const report = (source: string): Promise<void> =>
      run('report', {
        preparation,
        input: Readable.from([source]),
        onMessage: (it) => reports.push(it as Report),
      });
    await report('the first');
    const waiting = await child(preparation);
    await report('second');
    assert.deepEqual(
      reports.map(({ last }) => last),
      ['irst', 'cond'],
    );
    assert.equal(reports[1]?.pid, waiting);
    assert.notEqual(reports[0]?.pid, waiting);
  });

  it('starts another process where the one that stood by is gone', async () => {
    const preparation = 'a spare that goes';
    await run('quiet', { preparation });
    await kill(await child(preparation));
    const messages: unknown[] = [];
    await run('report', { preparation, onMessage: (body) => messages.push(body) });
    assert.equal(messages.length, 1);
  });

  it('fails so that it is tried again when the process is gone before it had its task', async () => {
    const preparation = 'one that goes';
    async function* source(): AsyncGenerator<string> {
      await kill(await child(preparation));
      yield 'source';
    }
    const ended = run('report', { preparation, input: Readable.from(source()) });
    await assert.rejects(
      ended,
      (error) => !(error instanceof PluginFailure) && /SIGKILL/.test(String(error)),
    );
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
