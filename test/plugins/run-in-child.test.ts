import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { createChildPool } from '../../plugins/host/child-pool.js';
import { runInChild, type ChildLimits } from '../../plugins/host/run-in-child.js';
import { watchTime } from '../../plugins/host/time-watch.js';
import { temporaryFolder } from '../support/temporary.js';
import { eventually } from '../support/eventually.js';

const module = new URL('./support/hostile-child.mjs', import.meta.url);

interface Report {
  readonly pid: number;
  readonly environment: readonly string[];
  readonly sizeBytes: number;
  readonly last: string;
}

/** Has a child behave as support/hostile-child.mjs knows it. Returns what it sends. */
async function run(
  behaviour: string,
  options: {
    limits?: Partial<ChildLimits>;
    input?: () => Readable;
    signal?: AbortSignal;
    onProgress?: () => void;
  } = {},
): Promise<unknown[]> {
  return await runInChild({
    module,
    request: behaviour,
    input: () => Promise.resolve(options.input?.() ?? Readable.from(['source'])),
    limits: { memoryMb: 192, timeoutSeconds: 30, outputBytes: 1_000_000, ...options.limits },
    signal: options.signal ?? new AbortController().signal,
    subject: 'TASK',
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
}

async function failure(...args: Parameters<typeof run>): Promise<PluginFailure> {
  const error: unknown = await run(...args).catch((reason: unknown) => reason);
  assert(error instanceof PluginFailure, String(error));
  return error;
}

/** The process ids of the children of this process, at work or waiting. */
async function childrenNow(): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === process.pid && args.includes('child-main') ? [Number(pid)] : [];
  });
}

/** The same, but at least one: a process that is just becoming another program has no arguments for a moment. */
async function children(): Promise<readonly number[]> {
  return await eventually(async () => {
    const found = await childrenNow();
    return found.length > 0 && found;
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves once the process is gone and this one has heard of it. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await eventually(() => !isAlive(pid));
}

const hasParentDeathSignal = (): boolean =>
  spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;

describe('runInChild', () => {
  it('gives the task its source and no environment, and forwards its messages', async () => {
    const input = (): Readable => Readable.from([Buffer.alloc(100_000, 'x'), Buffer.from('last')]);
    const messages = await run('report', { input });
    // macOS sets __CF_USER_TEXT_ENCODING in every process; a shell sets PWD and the like.
    const [{ environment, sizeBytes, last }] = messages as [Report];
    const given = environment.filter((name) => !/^(__CF|PWD$|OLDPWD$|SHLVL$|_$)/.test(name));
    assert.deepEqual({ given, sizeBytes, last }, { given: [], sizeBytes: 100_004, last: 'last' });
  });

  it('gives the task access only to its source and its code', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'secret');
    let found: unknown[];
    try {
      found = await runInChild({
        module: new URL('./support/prying-child.mjs', import.meta.url),
        request: { path, port: (server.address() as AddressInfo).port },
        input: () => Promise.resolve(Readable.from(['source'])),
        limits: { memoryMb: 512, timeoutSeconds: 30, outputBytes: 1_000_000 },
        signal: new AbortController().signal,
        subject: 'TASK',
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

  it('runs no more tasks at once than there are processors, and all of them in the end', async () => {
    const most = Math.max(2, availableParallelism());
    let atWork = 0;
    let peak = 0;
    const task = async (): Promise<void> => {
      const input = (): Readable =>
        new Readable({
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

  const reportOf = async (source: string): Promise<Report> => {
    const [report] = await run('report', { input: () => Readable.from([source]) });
    return report as Report;
  };

  it('runs one task after another in a process, each with its own source', async () => {
    const first = await reportOf('the first source');
    const second = await reportOf('second');
    assert.equal(second.pid, first.pid);
    assert.deepEqual([first.last, second.last], ['urce', 'cond']);
    assert.equal(second.sizeBytes, 6);
  });

  for (const [what, behaviour] of [
    ['failed', 'fail'],
    ['changed what all code shares', 'replace'],
    ['grew', 'grow'],
  ] as const)
    it(`ends a process whose task ${what}`, async () => {
      const before = await reportOf('before');
      await run(behaviour).catch(() => undefined);
      const after = await reportOf('after');
      assert.notEqual(after.pid, before.pid);
      await eventually(() => !isAlive(before.pid));
    });

  it('isolates the objects of a task from those of later ones', async () => {
    const [refused] = await run('pollute');
    const [{ polluted, mapped }] = (await run('look')) as [{ polluted: unknown; mapped: unknown }];
    assert.deepEqual({ refused, polluted, mapped }, { refused: 'TypeError', polluted: null, mapped: [2] });
  });

  it('ignores messages that an earlier task sends', async () => {
    await run('send later');
    for (let turn = 0; turn < 5; turn += 1) assert.equal((await run('report')).length, 1);
  });

  it('counts a failure only in a process that has run nothing before', async () => {
    const { pid } = await reportOf('before');
    await run('break later');
    const [other] = await run('fail where broken');
    assert.notEqual(other, pid);
    const error = await failure('fail');
    assert.equal(error.code, 'SOME_CODE');
  });

  it('starts another process if the standby process is gone', async () => {
    const { pid } = await reportOf('before');
    await kill(pid);
    const after = await reportOf('after');
    assert.notEqual(after.pid, pid);
  });

  it('retries when the process is gone before it got its task, then fails with a retry', async () => {
    const { pid } = await reportOf('before');
    let opened = 0;
    async function* sourceOf(victims: () => Promise<readonly number[]>): AsyncGenerator<string> {
      opened += 1;
      for (const victim of await victims()) await kill(victim);
      yield 'source';
    }
    const survived = await run('report', {
      input: () => Readable.from(sourceOf(() => Promise.resolve(opened === 1 ? [pid] : []))),
    });
    assert.equal(survived.length, 1);
    assert.equal(opened, 2);
    await assert.rejects(
      run('report', { input: () => Readable.from(sourceOf(children)) }),
      (error) => !(error instanceof PluginFailure) && /SIGKILL/.test(String(error)),
    );
  });

  it('ends with the process that started it, even in the middle of a task', async function () {
    if (!hasParentDeathSignal()) this.skip();
    const script = fileURLToPath(new URL('./support/orphaning.mjs', import.meta.url));
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
    assert(isAlive(Number(pid)));
    parent.kill('SIGKILL');
    await eventually(() => !isAlive(Number(pid)));
  });

  it('throws the error that the task threw', async () => {
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

  const ends: readonly (readonly [string, string, Partial<ChildLimits>?])[] = [
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

  it('lets a task that has hardly used the processor exceed its time limit', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.deepEqual(await run('wait', { limits: { timeoutSeconds: 1 } }), ['done']);
  });

  it('does not take a process that has just ended for one that exceeded its time limit', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = spawn(process.execPath, ['-e', 'console.log()']);
    const [exceeded, unknown] = [mock.fn(), mock.fn()];
    const watch = watchTime(child.pid!, 0.5, exceeded);
    await once(child, 'close');
    // Nothing was ever known about that process, so only the time counts.
    watchTime(child.pid!, 0.5, unknown);
    await eventually(() => unknown.mock.callCount() === 1);
    watch.end();
    assert.equal(exceeded.mock.callCount(), 0);
  });

  it('kills a busy task when the signal aborts, and throws its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const onProgress = (): void => controller.abort(reason);
    await assert.rejects(run('loop', { signal: controller.signal, onProgress }), reason);
  });

  it('passes on the error of the source unchanged', async () => {
    const broken = new Error('connection lost');
    const input = new Readable({ read: () => input.destroy(broken) });
    await assert.rejects(run('report', { input: () => input }), broken);
  });
});

describe('a pool of child processes', () => {
  it('starts the next child when the last idle one is taken, up to its limit', async () => {
    const others = new Set(await childrenNow());
    const own = async (): Promise<number> => (await childrenNow()).filter((pid) => !others.has(pid)).length;
    const pool = createChildPool(3);
    const kind = { module, memoryMb: 192, timeoutSeconds: 30 };
    const ends: (() => void)[] = [];
    const used: (number | undefined)[] = [];
    let isLast = false;
    const use = async (): Promise<() => Promise<void>> => {
      const begun = ends.length;
      const done = pool.use(kind, 'any', async (child) => {
        used.push(child.process.pid);
        await new Promise<void>((end) => ends.push(end));
        return isLast ? null : { residentBytes: 0, processorSeconds: 0, isClean: true };
      });
      await eventually(() => ends.length > begun);
      return async () => {
        ends[begun]?.();
        await done;
      };
    };
    await pool.startAhead(kind, [module]);
    await eventually(async () => (await own()) === 1);
    const first = await use();
    await eventually(async () => (await own()) === 2);
    await first();
    await (
      await use()
    )();
    assert.equal(await own(), 2, 'one after the other need no third');
    const all = [await use(), await use()];
    await eventually(async () => (await own()) === 3);
    all.push(await use());
    assert.deepEqual([new Set(used.slice(2)).size, await own()], [3, 3]);
    // None is kept.
    isLast = true;
    for (const end of all) await end();
  });
});
