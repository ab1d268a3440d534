import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLog, rotateLogs } from '../../runtime/embedded/daemon.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/temporary.js';

/** Logs one line in a process of its own and returns it. */
function logged(format: 'json' | 'pretty'): string {
  const script = `
    import { createLogger } from './dist/runtime/logging/logger.js';
    const log = createLogger({ logLevel: 'info', logFormat: '${format}' }, { process: 'api' });
    log.debug('unheard');
    log.info({
      token: 'sesame',
      body: { login_token: 'sesame', api_key: 'sesame' },
      req: { headers: { authorization: 'Bearer sesame', cookie: 'kw_session=sesame', accept: 'json' } },
      res: { headers: { 'set-cookie': ['kw_session=sesame'] } },
    }, 'hello');`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
}

describe('logging', () => {
  const run = ['--input-type=module', '-e'];

  it('writes one JSON object per line, without secrets', () => {
    const lines = logged('json').trim().split('\n');
    assert.equal(lines.length, 1);
    const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>;
    assert(Math.abs(Date.parse(time as string) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      level: 'info',
      process: 'api',
      token: '[redacted]',
      body: { login_token: '[redacted]', api_key: '[redacted]' },
      req: { headers: { authorization: '[redacted]', cookie: '[redacted]', accept: 'json' } },
      res: { headers: { 'set-cookie': '[redacted]' } },
      msg: 'hello',
    });
  });

  it('joins the messages of an error and its causes by colons alone', () => {
    const script = `
      import { createLogger } from './dist/runtime/logging/logger.js';
      const log = createLogger({ logLevel: 'info', logFormat: 'json' });
      const cause = new Error('Failed to start.', { cause: new Error('no connection') });
      log.warn({ err: new Error('It cannot be reached.', { cause }) }, 'away');
      log.warn({ err: Object.assign(new Error(), { message: { b: 'parsed from XML' } }) }, 'away');`;
    const lines = execFileSync(process.execPath, [...run, script], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { err: Error }).err.message);
    assert.deepEqual(messages, [
      'It cannot be reached: Failed to start: no connection',
      { b: 'parsed from XML' },
    ]);
  });

  it('writes readable lines on request', () => {
    const output = logged('pretty');
    assert.match(output, /INFO.*hello/);
    assert(!output.includes('sesame'));
  });

  it('of a worker keeps the ids of a step in every line, whatever a plugin passes', () => {
    const script = `
      import { runInNewContext } from 'node:vm';
      import { createWorkerLog, withFields } from './packages/plugin/dist/workers/log.js';
      const log = withFields(createWorkerLog(), { resource_id: 'r', attempt: 1 });
      const circular = {};
      circular.self = circular;
      log.info({ circular, big: 1n, absent: undefined, fine: [2] }, 'unreadable');
      log.error(new Error('no model', { cause: new Error('no disk') }));
      log.error('loading failed', runInNewContext('new Error("no model")'));
      log.info('count', { pages: 5, attempt: 9 });
      log.warn('plain', 7);`;
    const ids = { resource_id: 'r', attempt: 1 };
    const options = { encoding: 'utf8', env: { ...process.env, KW_LOG_LEVEL: 'info' } } as const;
    const { stderr } = spawnSync(process.execPath, [...run, script], options);
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ time: _, err, ...rest }) =>
        err === undefined ? rest : { ...rest, err: (err as Error).message },
      ),
      [
        {
          level: 'info',
          resource_id: 'r',
          attempt: 1,
          circular: '?',
          big: '?',
          fine: [2],
          msg: 'unreadable',
        },
        { level: 'error', ...ids, err: 'no model: no disk', msg: 'no model: no disk' },
        { level: 'error', ...ids, err: 'no model', msg: 'loading failed' },
        { level: 'info', ...ids, pages: 5, msg: 'count' },
        { level: 'warn', ...ids, msg: 'plain 7' },
      ],
    );
  });

  const flood = `
    import { createLogger } from './dist/runtime/logging/logger.js';
    let lost = 0;
    const log = createLogger({ logLevel: 'info', logFormat: 'json' }, {}, { onLost: () => lost++ });
    for (let line = 0; line < 1000; line++) log.info({ line, text: 'x'.repeat(200) }, 'flood');`;

  it('continues when no line can be written, buffers some, and counts those it loses', function () {
    if (!existsSync('/dev/full')) return this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [...run, `${flood} console.error(lost);`], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      const lost = Number(stderr);
      assert(lost > 500 && lost < 1000, stderr);
    } finally {
      closeSync(full);
    }
  });

  it('continues when its reader is gone', async () => {
    const wait = 'process.stdin.resume(); process.stdin.once("data", () => {';
    const child = spawn(process.execPath, [
      ...run,
      `${flood.replace('for', `${wait} for`)} process.exit(7); });`,
    ]);
    child.stdout.destroy();
    child.stdin.end('go');
    assert.deepEqual(await once(child, 'exit'), [7, null]);
  });

  it('writes buffered lines once its reader reads again, and reports how many are lost', async () => {
    const child = spawn(process.execPath, [...run, `${flood} console.error(lost); process.stdin.resume();`]);
    const [lost] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string];
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
    await eventually(() => text.includes('lost_lines'));
    child.stdin.end();
    assert.deepEqual(await once(child, 'close'), [0, null]);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly line?: number; readonly lost_lines?: number });
    const numbers = lines.flatMap(({ line }) => line ?? []);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    // Until its buffer is full, this process reads too, so lines may be lost in several places.
    const reported = lines.reduce((sum, { lost_lines = 0 }) => sum + lost_lines, 0);
    assert.deepEqual([reported, Number(lost)], [1000 - numbers.length, 1000 - numbers.length]);
    assert.notEqual(reported, 0);
  });

  it('of embedded parts goes on in the same file after a large one was rotated', () => {
    const folder = temporaryFolder();
    const [large, small] = ['api.log', 'worker.log'].map((name) => join(folder, name)) as [string, string];
    const [log, other] = [openLog(large), openLog(small)];
    const bytes = 11 * 1024 * 1024;
    writeSync(log, Buffer.alloc(bytes, 'x'));
    writeSync(other, 'little\n');
    rotateLogs(folder);
    writeSync(log, 'after\n');
    rotateLogs(folder);
    for (const file of [log, other]) closeSync(file);
    assert.deepEqual([readFileSync(large, 'utf8'), statSync(`${large}.1`).size], ['after\n', bytes]);
    assert.deepEqual([readFileSync(small, 'utf8'), existsSync(`${small}.1`)], ['little\n', false]);
  });
});
