import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceStatuses } from '../../cli/service/types.js';
import { resourceStatuses as coreStatuses } from '../../core/states.js';
import { startCore, type Answer, type TestCore } from '../support/core.js';
import { createKw, soon, type Kw } from '../support/kw.js';
import { createKwPlugins, type KwPlugins } from '../support/kw-plugins.js';
import { startProxy, type Proxy } from '../support/proxy.js';

const step = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 60 };

describe('kw with resources', function () {
  // Each of them starts processes.
  this.timeout(180_000);
  let core: TestCore;
  let held: KwPlugins;
  let kw: Kw;
  let names = 0;
  before(async () => {
    held = createKwPlugins();
    core = await startCore({ plugins: held.plugins });
    kw = createKw({ KW_URL: core.base, KW_API_KEY: core.adminKey });
    await core.pipeline('note', { plugin_id: 'echo', ...step });
    await core.pipeline('slow', { plugin_id: 'hold', ...step }, { plugin_id: 'echo', ...step });
  });
  after(() => core.stop());

  const file = (name: string, content: string): string => {
    mkdirSync(join(kw.folder, name, '..'), { recursive: true });
    writeFileSync(join(kw.folder, name), content);
    return name;
  };
  /** A file of a name that no other resource has. */
  const fresh = (content: string, suffix = 'txt'): string => file(`file-${(names += 1)}.${suffix}`, content);
  const named = async (name: string): Promise<Answer['body'][]> => {
    const { body } = await core.call('GET', `/resources?include=steps&q=${encodeURIComponent(name)}`);
    return body.items.filter((item: { name: string }) => item.name === name);
  };
  const escapes = /\u001b/;

  it('knows the statuses that there are', () => assert.deepEqual(resourceStatuses, coreStatuses));

  describe('add', () => {
    it('waits until all are COMPLETED and says so, in plain lines', async () => {
      const files = [fresh('one'), fresh('two'), fresh('three')];
      const { code, stdout, stderr } = await kw('add', ...files, '--type', 'note', '--wait');
      assert.equal(code, 0, stderr);
      const lines = stdout.trim().split('\n');
      assert.equal(lines.length, 3);
      for (const name of files) {
        const [resource] = await named(name);
        assert(lines.includes(`${resource.id}  COMPLETED   ${name}`), stdout);
        assert.match(stderr, new RegExp(`^${name}: uploading \\d B$`, 'm'));
        assert.match(stderr, new RegExp(`^${name}: COMPLETED$`, 'm'));
      }
      assert.match(stderr, /^3 of 3 COMPLETED\.\n$/m);
      assert(!escapes.test(stdout + stderr));
    });

    it('ends with 1 when one fails, and says why without what a terminal would obey', async () => {
      const [good, bad] = [fresh('fine'), fresh('bad')];
      const { code, stdout, stderr } = await kw('add', good, bad, '--type', 'note', '--wait');
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`FAILED      ${bad}`));
      assert.match(stdout, new RegExp(`COMPLETED   ${good}`));
      assert.match(
        stderr,
        new RegExp(`^${bad}: failed at step 0 \\(echo\\): BROKEN: It is  \\[31mbroken$`, 'm'),
      );
      assert.match(stderr, /^1 of 2 COMPLETED\.$/m);
      assert(!escapes.test(stderr));
    });

    it("prints the API's JSON in the order of the arguments", async () => {
      const files = [fresh('bad'), fresh('fine')];
      const { code, stdout } = await kw('add', ...files, '--type', 'note', '--wait', '--json');
      const resources = JSON.parse(stdout);
      assert.deepEqual(
        resources.map((resource: Answer['body']) => [resource.name, resource.status]),
        [
          [files[0], 'FAILED'],
          [files[1], 'COMPLETED'],
        ],
      );
      const { body } = await core.call('GET', `/resources/${resources[1].id}`);
      assert.deepEqual(resources[1], body);
      assert.equal(code, 1);
    });

    it('does not wait unless it is told to', async () => {
      const name = fresh('any');
      const { code, stdout } = await kw('add', name, '--type', 'slow');
      assert.deepEqual([code, /PROCESSING {2}file-/.test(stdout)], [0, true], stdout);
      await held.release();
    });

    it('counts a resource that has no pipeline as not processed', async () => {
      const name = fresh('any');
      const { code, stderr } = await kw('add', name, '--type', 'nothing', '--wait');
      assert.equal(code, 1);
      assert.match(stderr, /no pipeline has the type nothing/);
    });

    it('takes standard input and URLs', async () => {
      const fed = await kw.fed('from a pipe', 'add', '-', '--name', 'piped', '--type', 'note', '--wait');
      assert.equal(fed.code, 0, fed.stderr);
      assert.equal((await kw('get', 'piped', 'text')).stdout, 'from a pipe');
      const url = await kw(
        'add',
        'http://127.0.0.1:9/x',
        'https://example.invalid/page',
        '--type',
        'none',
        '--json',
      );
      const [refused, taken] = JSON.parse(url.stdout);
      assert.equal(url.code, 1);
      assert.deepEqual([refused.source, refused.error.code], ['http://127.0.0.1:9/x', 'URL_NOT_ALLOWED']);
      assert.deepEqual([taken.source_type, taken.source_uri], ['URL', 'https://example.invalid/page']);
    });

    it('takes what is in folders: no hidden files, no empty ones, no folders behind links', async () => {
      file('tree/a.txt', 'a');
      file('tree/deep/b.txt', 'b');
      file('tree/empty.txt', '');
      file('tree/.hidden/c.txt', 'c');
      symlinkSync('..', join(kw.folder, 'tree/deep/up'));
      const { code, stdout, stderr } = await kw('add', '-r', 'tree', '--type', 'none', '--json');
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        JSON.parse(stdout).map(({ name }: { name: string }) => name),
        ['a.txt', 'deep/b.txt'],
      );
      assert.match(stderr, /empty\.txt: left out, it is empty/);
    });

    const refused: readonly [string, readonly string[], number, RegExp][] = [
      [
        'a file that is not there',
        ['a-file', 'nosuch', '--type', 'note'],
        1,
        /There is no file nosuch\. Nothing was added\./,
      ],
      ['no type', ['a-file'], 2, /required option '--type <type>'/],
      ['a folder', ['.', '--type', 'note'], 2, /--recursive/],
      [
        'a name for two',
        ['a-file', 'a-file', '--name', 'x', '--type', 'note'],
        2,
        /--name goes with a single/,
      ],
      ['standard input without a name', ['-', '--type', 'note'], 2, /--name/],
      ['an unknown option', ['a-file', '--type', 'note', '--typ', 'x'], 2, /unknown option '--typ'/],
    ];
    for (const [what, args, exit, message] of refused) {
      it(`refuses ${what} before anything is sent`, async () => {
        file('a-file', 'x');
        const { code, stdout, stderr } = await kw('add', ...args);
        assert.deepEqual([code, stdout], [exit, ''], stderr);
        assert.match(stderr, message);
        assert.deepEqual(await named('a-file'), []);
      });
    }

    it('does not hold a large file in memory', async () => {
      const tell = file(
        'tell.mjs',
        `import { writeFileSync } from 'node:fs';
        process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));`,
      );
      const name = fresh('');
      truncateSync(join(kw.folder, name), 768 * 1024 * 1024);
      const line = `NODE_OPTIONS=--import=./${tell} kw add ${name} --type nothing`;
      const { code, stderr } = await kw.shell(line).ended;
      assert.equal(code, 0, stderr);
      const [resource] = await named(name);
      assert.equal(resource.size_bytes, 768 * 1024 * 1024);
      const peakMib = Number(readFileSync(join(kw.folder, 'peak'), 'utf8')) / 1024;
      // About 130 where the collector keeps up; on a busy machine buffers that are done with wait for it.
      assert(peakMib > 20 && peakMib < 576, `${peakMib} MiB`);
    });

    it('leaves what is registered and cuts what is not when it is interrupted', async () => {
      const name = fresh('any');
      const running = kw.start('add', name, '--type', 'slow', '--wait');
      const [resource] = await soon(async () => {
        const found = await named(name);
        return running.said.stderr.includes('step 1 of 2') && found.length > 0 && found;
      });
      running.child.kill('SIGINT');
      const { code, stderr } = await running.ended;
      assert.equal(code, 130);
      assert.match(stderr, /^Interrupted\. 1 of 1 registered; they go on:$/m);
      assert(stderr.includes(resource.id));
      await held.release();
      assert.equal((await core.settled(resource.id)).status, 'COMPLETED');
    });
  });

  describe('over a network that breaks', () => {
    let proxy: Proxy;
    let far: Kw;
    before(async () => {
      proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(core.base).port) });
      far = createKw({ KW_URL: `http://${proxy.address}`, KW_API_KEY: core.adminKey });
    });
    after(() => proxy.stop());

    it('registers once though answers are lost again and again', async () => {
      writeFileSync(join(far.folder, 'lost.txt'), 'lost');
      await proxy.set('deafen');
      const running = far.start('add', 'lost.txt', '--type', 'note', '--wait', '--json');
      for (let losses = 0; losses < 3; losses += 1) {
        const before = proxy.caught();
        await soon(() => proxy.caught() > before);
        await soon(async () => (await named('lost.txt')).length > 0);
        proxy.cut();
      }
      await proxy.set('pass');
      const { code, stdout, stderr } = await running.ended;
      assert.equal(code, 0, stderr);
      const found = await named('lost.txt');
      assert.equal(found.length, 1);
      assert.equal(JSON.parse(stdout)[0].id, found[0].id);
      assert.match(stderr, /does not answer .* Again in/);
    });

    it('sends a file again whose upload was cut, and registers it once', async () => {
      writeFileSync(join(far.folder, 'cut.bin'), '');
      truncateSync(join(far.folder, 'cut.bin'), 64 * 1024 * 1024);
      const running = far.start('add', 'cut.bin', '--type', 'nothing');
      for (let cuts = 0; cuts < 2; cuts += 1) await soon(() => proxy.cut() > 0, { intervalMs: 5 });
      const { code, stderr } = await running.ended;
      assert.equal(code, 0, stderr);
      const found = await named('cut.bin');
      assert.deepEqual([found.length, found[0].size_bytes], [1, 64 * 1024 * 1024]);
    });

    it('waits on while the service is away', async () => {
      writeFileSync(join(far.folder, 'away.txt'), 'away');
      const running = far.start('add', 'away.txt', '--type', 'slow', '--wait');
      await soon(() => running.said.stderr.includes('step 1 of 2'));
      await proxy.set('refuse');
      await held.release();
      const [resource] = await named('away.txt');
      await core.settled(resource.id);
      await proxy.set('pass');
      const { code, stdout } = await running.ended;
      assert.deepEqual([code, /COMPLETED {3}away\.txt/.test(stdout)], [0, true]);
    });

    it('shows bars on a terminal', async () => {
      writeFileSync(join(far.folder, 'bars.txt'), 'any');
      await proxy.set('deafen');
      const running = far.terminal('add', 'bars.txt', '--type', 'slow', '--wait');
      // All of it is sent, and the answer does not come.
      await soon(() => running.said.stdout.includes('100%  3 B of 3 B'));
      await proxy.set('pass');
      proxy.cut();
      await soon(() => running.said.stdout.includes('██████████░░░░░░░░░░  50%  half way'));
      await held.release();
      const { code, stdout } = await running.ended;
      assert.equal(code, 0, stdout);
      assert(stdout.includes('\u001b[32mCOMPLETED'), stdout);
      assert(
        stdout.trimEnd().endsWith('\u001b[?25h') || /\u001b\[\?25h[^]*$/.test(stdout),
        'the cursor is back',
      );
    });

    it('says where nobody answers', async () => {
      const { code, stderr } = await kw('ls', '--url', 'http://127.0.0.1:1');
      assert.equal(code, 1);
      assert.match(stderr, /^http:\/\/127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED/);
    });
  });

  describe('get', () => {
    const long = 'Zwölf Boxkämpfer 😀 "\\\n'.repeat(120_000);
    before(async () => {
      file('long.txt', long);
      assert.equal((await kw('add', 'long.txt', '--type', 'note', '--wait')).code, 0);
    });

    it('prints text as it is, and JSON and vectors as the API has them', async () => {
      assert.equal((await kw('get', 'long.txt', 'text')).stdout, long);
      assert.equal((await kw('get', 'long.txt', 'object')).stdout, `{"length":${long.length},"mark":"✓"}`);
      assert.equal((await kw('get', 'long.txt', 'numbers')).stdout, '[0.5,-1,1e+21]');
      const { stdout } = await kw('get', 'long.txt', 'object', '--json');
      assert.equal(JSON.parse(stdout).content.length, long.length);
    });

    it('lays JSON out on a terminal', async () => {
      const { stdout } = await kw.terminal('get', 'long.txt', 'object').ended;
      assert.equal(stdout.replaceAll('\r', ''), `{\n  "length": ${long.length},\n  "mark": "✓"\n}\n`);
    });

    it('writes a file whole or not at all', async () => {
      const target = file('there.txt', 'as it was');
      const missing = await kw('get', 'long.txt', 'nosuch', '-o', target);
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /has no artifact nosuch\. It has .*text \(step 0\)/);
      assert.equal(readFileSync(join(kw.folder, target), 'utf8'), 'as it was');
      assert.equal((await kw('get', 'long.txt', 'text', '-o', target)).code, 0);
      assert.equal(readFileSync(join(kw.folder, target), 'utf8'), long);
    });

    it('ends without a word when its reader does', async () => {
      for (const line of ['kw get long.txt text | head -c 3', 'kw get long.txt text --json | head -c 3']) {
        const { code, stderr } = await kw.shell(`set -o pipefail; ${line}`).ended;
        assert.deepEqual([code, stderr], [0, ''], line);
      }
    });
  });

  describe('ls, show and watch', () => {
    before(async () => {
      for (let count = 0; count < 5; count += 1)
        assert.equal((await core.upload('listed', `number ${count}`)).status, 'PENDING');
    });

    it('lists what is asked for, in columns, and as one array', async () => {
      const { stdout } = await kw('ls', '--type', 'listed', '-q', 'NUMBER', '--status', 'PENDING');
      const [header = '', ...rows] = stdout.trimEnd().split('\n');
      assert.equal(
        header,
        'ID                                    STATUS   TYPE    SIZE  CREATED                   NAME',
      );
      assert.equal(rows.length, 5);
      assert(
        rows[0]!.endsWith('  listed number 4') &&
          rows[0]!.indexOf('listed number 4') === header.indexOf('NAME'),
      );
      const json = JSON.parse((await kw('ls', '--type', 'listed', '--limit', '3', '--json')).stdout);
      assert.deepEqual(
        json.map(({ name }: { name: string }) => name),
        ['listed number 4', 'listed number 3', 'listed number 2'],
      );
      assert.deepEqual(JSON.parse((await kw('ls', '--type', 'no such', '--json')).stdout), []);
      const all = JSON.parse((await kw('ls', '--all', '--type', 'listed', '--json')).stdout);
      assert.equal(all.length, 5);
    });

    it('refuses a status that there is not', async () => {
      const { code, stderr } = await kw('ls', '--status', 'DONE');
      assert.deepEqual([code, /Allowed choices are PENDING/.test(stderr)], [2, true]);
    });

    it('shows steps, attempts, errors and artifacts', async () => {
      const name = fresh('bad');
      await kw('add', name, '--type', 'note', '--wait');
      const { stdout } = await kw('show', name);
      const [resource] = await named(name);
      for (const part of [
        new RegExp(`^  id {9}${resource.id}$`, 'm'),
        /^ {2}status {5}FAILED {2}failed at step 0 \(echo\): BROKEN/m,
        new RegExp(`^  workflow   ${resource.workflow_id}$`, 'm'),
        /^ {3}0 {2}echo {4}FAILED {2}1 of 1 .*BROKEN: It is/m,
      ])
        assert.match(stdout, part);
      const shown = JSON.parse((await kw('show', resource.id, '--json')).stdout);
      assert.deepEqual(shown, (await core.call('GET', `/resources/${resource.id}`)).body);
    });

    it('asks which one is meant where several have a name', async () => {
      await core.upload('twin', 'same');
      await core.upload('twin', 'same');
      const { code, stderr } = await kw('show', 'twin same');
      assert.equal(code, 1);
      assert.equal(stderr.match(/^ {2}[0-9a-f-]{36} {2}PENDING {2}twin$/gm)?.length, 2, stderr);
      assert.match((await kw('show', 'nobody')).stderr, /No resource has the id or the name nobody\./);
    });

    it('watches until what is named has settled', async () => {
      const { id } = await core.upload('slow', 'watched');
      const running = kw.start('watch', id);
      await soon(() => running.said.stderr.includes('step 1 of 2 (hold), RUNNING'));
      await held.release();
      const { code, stdout } = await running.ended;
      assert.deepEqual([code, stdout], [0, `${id}  COMPLETED   slow watched\n`]);
    });

    it('watches everything until it is interrupted, a JSON line for each change', async () => {
      const running = kw.start('watch', '--json');
      const { id } = await core.upload('slow', 'seen');
      await soon(() => running.said.stdout.includes(id));
      await held.release();
      const last = await soon(() =>
        running.said.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .find((resource) => resource.id === id && resource.status === 'COMPLETED'),
      );
      assert.deepEqual(last, (await core.call('GET', `/resources/${id}`)).body);
      running.child.kill('SIGINT');
      assert.equal((await running.ended).code, 130);
    });
  });

  describe('changes', () => {
    it('processes again, from a step too, and waits', async () => {
      const name = fresh('again');
      await kw('add', name, '--type', 'note', '--wait');
      const again = await kw('reprocess', name, '--wait', '--json');
      assert.deepEqual([again.code, JSON.parse(again.stdout)[0].run], [0, 2]);
      const refused = await kw('reprocess', name, '--from-step', 'failed');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /STEP_NOT_RESUMABLE[^]*"kw show" lists its steps/);
      assert.equal((await kw('reprocess', name, '--from-step', '0', '--wait')).code, 0);
    });

    it('processes many again, by what they have in common', async () => {
      for (const args of [['--all'], [], ['--type', 'x'], ['--all', 'name', '--type', 'x']])
        assert.equal((await kw('reprocess', ...args)).code, 2, args.join(' '));
      const { stdout } = await kw('reprocess', '--all', '--type', 'note', '--status', 'FAILED');
      assert.match(stdout, /^\d+ will be processed again\.$/m);
    });

    it('cancels what runs, and says of the rest why not', async () => {
      const { id } = await core.upload('slow', 'cancelled');
      const done = await kw('cancel', id, 'long.txt');
      assert.equal(done.code, 1);
      assert(done.stdout.startsWith(id));
      assert.match(done.stderr, /long\.txt: .*\(RESOURCE_NOT_PROCESSING\)/);
      assert.equal((await core.settled(id)).status, 'CANCELLED');
    });

    it('renames, disables and enables', async () => {
      const { id } = await core.upload('other', 'edited');
      assert.equal((await kw('rename', id, 'edited anew')).code, 0);
      assert.equal((await kw('disable', 'edited anew')).code, 0);
      const [off] = await named('edited anew');
      assert.deepEqual([off.id, off.is_enabled], [id, false]);
      assert.equal((await kw('enable', 'edited anew')).code, 0);
      assert.equal((await named('edited anew'))[0].is_enabled, true);
    });

    it('deletes only what somebody means', async () => {
      const { id } = await core.upload('other', 'deleted');
      const unasked = await kw('rm', id);
      assert.deepEqual([unasked.code, /--yes/.test(unasked.stderr)], [2, true]);
      const doubted = kw.terminal('rm', id);
      await soon(() => doubted.said.stdout.includes('[y/N]'));
      doubted.type('n\r');
      assert.equal((await doubted.ended).code, 1);
      assert.equal((await core.call('GET', `/resources/${id}`)).status, 200);
      const meant = kw.terminal('rm', id);
      await soon(() => meant.said.stdout.includes('[y/N]'));
      meant.type('y\r');
      assert.equal((await meant.ended).code, 0);
      assert.equal((await core.call('GET', `/resources/${id}`)).status, 404);
      const { code, stderr } = await kw('rm', id, '--yes');
      assert.deepEqual([code, /NOT_FOUND/.test(stderr)], [1, true]);
    });
  });
});
