import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient, type NewUpload } from '@knowledge-warehouse/client';
import type { Answer } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startKwCore, type KwCore } from '../support/service/kw-core.js';

describe('kw add', function () {
  let core: KwCore['core'];
  let held: KwCore['held'];
  let kw: KwCore['kw'];
  let file: KwCore['file'];
  let fresh: KwCore['fresh'];
  let named: KwCore['named'];
  before(async () => {
    ({ core, held, kw, file, fresh, named } = await startKwCore());
  });
  after(() => core.stop());

  const escapes = /\u001b/;

  it('waits until all are COMPLETED and reports it, in plain lines', async () => {
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

  it('exits with 1 if one fails, and shows the reason without control characters', async () => {
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

  it('does not wait unless asked to', async () => {
    const name = fresh('any');
    const { code, stdout } = await kw('add', name, '--type', 'slow');
    assert.deepEqual([code, /PROCESSING {2}file-/.test(stdout)], [0, true], stdout);
    await held.release();
  });

  it('counts a resource without a pipeline as not processed', async () => {
    const name = fresh('any');
    const { code, stderr } = await kw('add', name, '--type', 'nothing', '--wait');
    assert.equal(code, 1);
    assert.match(stderr, /no pipeline has the type nothing/);
    await core.pipeline('nothing', { plugin_id: 'echo' });
    const said = 'a pipeline for its type now exists: "kw reprocess" starts it';
    assert.match((await kw('show', name)).stdout, new RegExp(`^ {2}status {5}PENDING {2}${said}$`, 'm'));
  });

  it('accepts standard input and URLs', async () => {
    const fed = await kw.fed('from a pipe', 'add', '-', '--name', 'piped', '--type', 'note', '--wait');
    assert.equal(fed.code, 0, fed.stderr);
    assert.equal((await kw('get', 'piped', 'text')).stdout, 'from a pipe');
    const substituted = kw.shell('kw add <(printf "from a command") --name substituted --type note --wait');
    assert.equal((await substituted.ended).code, 0, substituted.said.stderr);
    assert.equal((await kw('get', 'substituted', 'text')).stdout, 'from a command');
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

  it('detects the format from the name and type of the file when the resource has another name', async () => {
    file('f.csv', 'city,people\nKöln,1\n');
    file('page', '# One');
    const typeOf = async (...args: string[]): Promise<string> => {
      const { stdout } = await kw('add', ...args, '--type', 'none', '--json');
      return JSON.parse(stdout)[0].media_type;
    };
    assert.equal(await typeOf('f.csv', '--name', 'Cities'), 'text/csv');
    assert.equal(await typeOf('page', '--name', 'page.md'), 'text/markdown');
    file('tmp.x3Yb91', '# One');
    assert.equal(await typeOf('tmp.x3Yb91', '--name', 'page.md'), 'text/markdown');
    file('cities.geojson', '{"type": "FeatureCollection", "features": []}');
    assert.equal(await typeOf('cities.geojson', '--name', 'Cities.txt'), 'application/json');

    const client = createClient({ url: core.base, apiKey: core.adminKey });
    const upload = async (upload: Pick<NewUpload, 'file' | 'fileName'>): Promise<string | null> =>
      (await client.upload({ name: 'Cities', type: 'none', ...upload })).media_type;
    const csv = 'city,people\nKöln,1\n';
    assert.equal(await upload({ file: new File([csv], 'f.csv') }), 'text/csv');
    assert.equal(await upload({ file: new Blob([csv]), fileName: 'f.csv' }), 'text/csv');
    assert.equal(await upload({ file: new Blob([csv], { type: 'text/csv' }) }), 'text/csv');
  });

  it('adds the files in folders, but no hidden or empty ones and no folders behind links', async () => {
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
    assert.match(stderr, /empty\.txt: skipped, because it is empty/);
  });

  it('adds files whose names are not UTF-8 or have control characters, and names what is neither a file nor a folder', async () => {
    mkdirSync(join(kw.folder, 'odd'));
    const bytes = (text: string): Buffer => Buffer.from(`${kw.folder}/odd/${text}`, 'latin1');
    mkdirSync(bytes('d\xe9'));
    writeFileSync(bytes('caf\xe9.md'), 'coffee');
    writeFileSync(bytes('bell\x07.md'), '# bell');
    writeFileSync(bytes('d\xe9/a.md'), 'a');
    symlinkSync('nowhere', bytes('broken'));
    execFileSync('mkfifo', [join(kw.folder, 'odd/pipe')]);
    const { code, stdout, stderr } = await kw('add', '-r', 'odd', '--type', 'none', '--json');
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout).map(({ name, size_bytes, media_type }: Answer['body']) => [
        name,
        size_bytes,
        media_type,
      ]),
      [
        ['bell .md', 6, 'text/markdown'],
        ['caf\ufffd.md', 6, 'text/markdown'],
        ['d\ufffd/a.md', 1, 'text/markdown'],
      ],
    );
    assert.match(stderr, /^odd\/broken: skipped, because it is a broken link$/m);
    assert.match(stderr, /^odd\/pipe: skipped, because it is neither a file nor a folder$/m);
    const named = await kw.shell("kw add odd/$'caf\\xe9.md' --type none").ended;
    assert.equal(named.code, 1);
    assert.match(named.stderr, /^There is no file odd\/caf\ufffd\.md\. .*not UTF-8.*--recursive/);
  });

  it('reports folders and files that cannot be read, and adds the others', async () => {
    file('partly/open.txt', 'a');
    mkdirSync(join(kw.folder, 'partly/closed'), { mode: 0 });
    symlinkSync('loop', join(kw.folder, 'partly/loop'));
    // Root can read every folder, unless it gives this capability up.
    const confined = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search ' : '';
    const { code, stdout, stderr } = await kw.shell(`${confined}kw add -r partly --type none`).ended;
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^\S+ {2}PENDING {5}open\.txt\n$/);
    assert.deepEqual(
      stderr
        .split('\n')
        .filter((line) => line.startsWith('partly'))
        .sort(),
      ['partly/closed: it cannot be read: EACCES', 'partly/loop: it cannot be read: ELOOP'],
    );
    assert.match(stderr, /^1 of 3 registered\.$/m);
  });

  it('finishes although the readers of its output and messages are gone', async () => {
    const names = Array.from({ length: 3 }, () => fresh('any'));
    const line = `kw add ${names.join(' ')} --type note --wait --parallel 1`;
    for (const piped of [`${line} 2>&1 | head -1`, `${line} | :`]) {
      const { code } = await kw.shell(`set -o pipefail; ${piped}`).ended;
      assert.equal(code, 0, piped);
    }
    for (const name of names) {
      const statuses = (await named(name)).map(({ status }: Answer['body']) => status);
      assert.deepEqual(statuses, ['COMPLETED', 'COMPLETED'], name);
    }
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
    ['a named pipe', ['pipe', '--type', 'note'], 2, /^pipe is neither a file nor a folder/],
    ['a name for two', ['a-file', 'a-file', '--name', 'x', '--type', 'note'], 2, /--name needs exactly one/],
    ['standard input without a name', ['-', '--type', 'note'], 2, /--name/],
    ['an unknown option', ['a-file', '--type', 'note', '--typ', 'x'], 2, /unknown option '--typ'/],
  ];
  before(() => execFileSync('mkfifo', [join(kw.folder, 'pipe')]));
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
    const mebibytes = isFull ? 768 : 384;
    truncateSync(join(kw.folder, name), mebibytes * 1024 * 1024);
    const line = `NODE_OPTIONS=--import=./${tell} kw add ${name} --type none`;
    const { code, stderr } = await kw.shell(line).ended;
    assert.equal(code, 0, stderr);
    const [resource] = await named(name);
    assert.equal(resource.size_bytes, mebibytes * 1024 * 1024);
    const peakMib = Number(readFileSync(join(kw.folder, 'peak'), 'utf8')) / 1024;
    // About 130 where the collector keeps up; on a busy machine buffers that are done with wait for it.
    assert(peakMib > 20 && peakMib < (isFull ? 576 : 400), `${peakMib} MiB`);
  });

  it('notes that a file grew while it was read', async () => {
    const name = fresh('one');
    file(
      'grow.mjs',
      `import { appendFileSync } from 'node:fs';
      import { open } from 'node:fs/promises';
      const probe = await open('${name}');
      const { prototype } = probe.constructor;
      const { read } = prototype;
      prototype.read = function (...args) {
        appendFileSync('${name}', ' and more');
        return read.apply(this, args);
      };
      await probe.close();`,
    );
    const { code, stderr } = await kw.shell(`NODE_OPTIONS=--import=./grow.mjs kw add ${name} --type none`)
      .ended;
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      new RegExp(`^${name}: it grew while it was read: only its first 3 bytes were registered$`, 'm'),
    );
    assert.equal((await named(name))[0].size_bytes, 3);
  });

  it('leaves registered resources and aborts the others when it is interrupted', async () => {
    const [first, second, last] = [fresh('one'), fresh('two'), fresh('three')];
    // The third is empty and has no end yet, so that the last is not sent.
    execFileSync('mkfifo', [join(kw.folder, 'endless')]);
    const running = kw.shell(
      `exec 3<>endless; exec kw add ${first} ${second} /dev/fd/3 ${last} --type slow --wait --parallel 1`,
    );
    const [cancelled] = await eventually(async () => {
      const found = await named(first);
      return (
        running.said.stderr.includes(`${second}: PROCESSING, step 0 (hold)`) && found.length > 0 && found
      );
    });
    const [resource] = await named(second);
    await core.call('POST', `/resources/${cancelled.id}/cancel`);
    await eventually(() => running.said.stdout.includes('CANCELLED'));
    running.child.kill('SIGINT');
    await eventually(() => running.said.stderr.includes('Interrupted'));
    writeFileSync(join(kw.folder, 'endless'), 'x', { flag: 'r+' });
    const { code, stderr } = await running.ended;
    assert.equal(code, 130);
    const lines = [
      'Interrupted: 1 finished, 1 still running, 2 not registered.',
      'Still running:',
      `  ${resource.id}  ${second}`,
      'Not registered:',
      '  /dev/fd/3',
      `  ${last}`,
    ];
    assert(stderr.endsWith(`${lines.join('\n')}\n`), stderr);
    await held.release();
    assert.equal((await core.settled(resource.id)).status, 'COMPLETED');
  });

  it('prints with --json what became of each argument when it is interrupted', async () => {
    const [first, second] = [fresh('one'), fresh('two')];
    execFileSync('mkfifo', [join(kw.folder, 'unending')]);
    const running = kw.shell(
      `exec 3<>unending; exec kw add ${first} /dev/fd/3 ${second} --type slow --wait --json --parallel 1`,
    );
    await eventually(() => running.said.stderr.includes(`${first}: PROCESSING, step 0 (hold)`));
    const [resource] = await named(first);
    running.child.kill('SIGINT');
    await eventually(() => running.said.stderr.includes('Interrupted'));
    writeFileSync(join(kw.folder, 'unending'), 'x', { flag: 'r+' });
    const { code, stdout } = await running.ended;
    assert.equal(code, 130);
    const error = { code: 'NOT_DONE', message: 'It was not registered.', details: {} };
    assert.deepEqual(
      JSON.parse(stdout).map((item: Answer['body']) => item.id ?? item),
      [resource.id, { source: '/dev/fd/3', error }, { source: second, error }],
    );
    await held.release();
  });

  it('says that nothing was registered when it is interrupted while it reads standard input', async () => {
    const { child, ended } = kw.start('add', '-', '--name', 'sleepy', '--type', 'slow', '--json');
    // The pipe takes so much only when it is read.
    await new Promise((taken) => child.stdin?.write(Buffer.alloc(1024 * 1024), taken));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 130);
    const lines = [
      'Interrupted: 0 finished, 0 still running, 1 not registered.',
      'Not registered:',
      '  sleepy',
    ];
    assert.equal(stderr, `${lines.join('\n')}\n`);
    const error = { code: 'NOT_DONE', message: 'It was not registered.', details: {} };
    assert.deepEqual(JSON.parse(stdout), [{ source: 'sleepy', error }]);
  });

  it('says with --json which file was refused when its key is invalid', async () => {
    const names = [fresh('one'), fresh('two')];
    const line = `KW_API_KEY=kw_wrong kw add ${names.join(' ')} --type none --parallel 1 --json`;
    const { code, stdout } = await kw.shell(line).ended;
    assert.equal(code, 1);
    assert.deepEqual(
      JSON.parse(stdout).map(({ source, error }: Answer['body']) => [source, error.code]),
      [
        [names[0], 'UNAUTHENTICATED'],
        [names[1], 'NOT_DONE'],
      ],
    );
  });

  it('ends at once when it is interrupted again, even while a file is being opened', async () => {
    file(
      'stuck.mjs',
      `import { open } from 'node:fs';
      import { onInterrupt } from '${resolve('dist/cli/command.js')}';
      onInterrupt().signal.addEventListener('abort', () => console.log('interrupted'));
      open('pipe', () => undefined);
      console.log('stuck');`,
    );
    const { child, said, ended } = kw.shell('exec node stuck.mjs');
    for (const state of ['stuck', 'interrupted']) {
      await eventually(() => said.stdout.includes(state));
      child.kill('SIGINT');
    }
    await ended;
    assert.equal(child.signalCode, 'SIGINT');
  });
});
