import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { resourceStatuses } from '@knowledge-warehouse/client';
import { resourceStatuses as coreStatuses } from '../../core/states.js';
import { eventually } from '../support/eventually.js';
import { createKw } from '../support/service/kw.js';
import { startKwCore, type KwCore } from '../support/service/kw-core.js';

describe('kw with resources', function () {
  let core: KwCore['core'];
  let held: KwCore['held'];
  let kw: KwCore['kw'];
  let file: KwCore['file'];
  let named: KwCore['named'];
  before(async () => {
    ({ core, held, kw, file, named } = await startKwCore());
  });
  after(() => core.stop());

  it('knows all statuses', () => assert.deepEqual(resourceStatuses, coreStatuses));

  describe('get', () => {
    const long = 'Zwölf Boxkämpfer 😀 "\\\n'.repeat(20_000);
    before(async () => {
      file('long.txt', long);
      assert.equal((await kw('add', 'long.txt', '--type', 'note', '--wait')).code, 0);
    });

    it('prints text unchanged, and JSON and vectors as the API returns them', async () => {
      assert.equal((await kw('get', 'long.txt', 'text')).stdout, long);
      assert.equal((await kw('get', 'long.txt', 'object')).stdout, `{"length":${long.length},"mark":"✓"}`);
      assert.equal((await kw('get', 'long.txt', 'numbers')).stdout, '[0.5,-1,1e+21]');
      const { stdout } = await kw('get', 'long.txt', 'object', '--json');
      assert.equal(JSON.parse(stdout).content.length, long.length);
    });

    it('formats JSON on a terminal', async () => {
      const { stdout } = await kw.terminal('get', 'long.txt', 'object').ended;
      assert.equal(stdout.replaceAll('\r', ''), `{\n  "length": ${long.length},\n  "mark": "✓"\n}\n`);
    });

    it('writes a file whole or not at all', async () => {
      const target = file('there.txt', 'as it was');
      const missing = await kw('get', 'long.txt', 'nosuch', '-o', target);
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /has no artifact nosuch\. It has .*text \(step 0\)/);
      assert.equal(readFileSync(join(kw.folder, target), 'utf8'), 'as it was');
      for (const written of [target, 'longest'.padEnd(255, 'x')]) {
        assert.equal((await kw('get', 'long.txt', 'text', '-o', written)).code, 0);
        assert.equal(readFileSync(join(kw.folder, written), 'utf8'), long);
      }
      for (const unwritable of ['x'.repeat(256), ...(existsSync('/dev/full') ? ['/dev/full'] : [])]) {
        const { code, stderr } = await kw('get', 'long.txt', 'text', '-o', unwritable);
        assert.deepEqual([code, stderr.split(': ')[0]], [1, `${unwritable} cannot be written`]);
        assert.match(stderr, /^[^\n]*\n$/);
      }
    });

    it('keeps the permissions of a file that it replaces, and the links that lead to it', async () => {
      const real = join(kw.folder, file('real.txt', 'as it was'));
      chmodSync(real, 0o620);
      mkdirSync(join(kw.folder, 'links'));
      symlinkSync('../real.txt', join(kw.folder, 'links/link.txt'));
      symlinkSync('/dev/stdout', join(kw.folder, 'links/out'));
      assert.equal((await kw('get', 'long.txt', 'text', '-o', 'links/link.txt')).code, 0);
      assert.equal(readFileSync(real, 'utf8'), long);
      assert.equal(statSync(real).mode & 0o777, 0o620);
      for (const path of ['links/out', '/dev/stdout']) {
        file('log.txt', 'before\n');
        assert.equal((await kw.shell(`kw get long.txt text -o ${path} >> log.txt`).ended).code, 0);
        assert.equal(readFileSync(join(kw.folder, 'log.txt'), 'utf8'), `before\n${long}`, path);
      }
      symlinkSync('new.txt', join(kw.folder, 'links/early'));
      assert.equal((await kw('get', 'long.txt', 'text', '-o', 'links/early')).code, 0);
      assert.equal(readFileSync(join(kw.folder, 'links/new.txt'), 'utf8'), long);
      for (const name of ['links/link.txt', 'links/out', 'links/early'])
        assert(lstatSync(join(kw.folder, name)).isSymbolicLink(), name);
    });

    it('follows links as the system does, also for a ".." after a link', async () => {
      for (const folder of ['deep', 'deep/down', 'links-up']) mkdirSync(join(kw.folder, folder));
      symlinkSync('../deep/down', join(kw.folder, 'links-up/down'));
      symlinkSync('down/../real.txt', join(kw.folder, 'links-up/real'));
      symlinkSync('down/../new.txt', join(kw.folder, 'links-up/new'));
      for (const path of ['deep/real.txt', 'links-up/real.txt']) file(path, 'as it was');
      for (const [path, written] of [
        ['links-up/real', 'deep/real.txt'],
        ['links-up/new', 'deep/new.txt'],
        ['links-up/down/../direct.txt', 'deep/direct.txt'],
      ] as const) {
        assert.equal((await kw('get', 'long.txt', 'text', '-o', path)).code, 0);
        assert.equal(readFileSync(join(kw.folder, written), 'utf8'), long, path);
      }
      assert.equal(readFileSync(join(kw.folder, 'links-up/real.txt'), 'utf8'), 'as it was');
    });

    it('keeps owner and group or denies the group access, and writes a file in a folder that accepts no other', async () => {
      const isRoot = process.getuid?.() === 0;
      const path = join(kw.folder, file('owned.txt', 'as it was'));
      if (isRoot) {
        chmodSync(path, 0o664);
        chownSync(path, 7, 8);
        assert.equal((await kw('get', 'long.txt', 'text', '-o', path)).code, 0);
        const { uid, gid, mode } = statSync(path);
        assert.deepEqual([uid, gid, mode & 0o777], [7, 8, 0o664]);
      }

      const asOther = isRoot ? 'setpriv --reuid 65534 --regid 65534 --clear-groups ' : '';
      const write = (to: string): Promise<unknown> =>
        kw.shell(`${asOther}kw get long.txt text -o ${to}`).ended;
      chmodSync(kw.folder, 0o777);
      if (isRoot) {
        await write('owned.txt');
        assert.equal(readFileSync(path, 'utf8'), long);
        assert.equal(statSync(path).mode & 0o777, 0o604);
        chmodSync(path, 0o664);
        chownSync(path, 7, 65534);
        await write('owned.txt');
        const { uid, gid, mode } = statSync(path);
        assert.deepEqual([uid, gid, mode & 0o777], [65534, 65534, 0o664]);
      }
      mkdirSync(join(kw.folder, 'locked'));
      const locked = join(kw.folder, file('locked/a.txt', 'as it was'));
      chmodSync(locked, 0o666);
      chmodSync(join(kw.folder, 'locked'), 0o555);
      await write('locked/a.txt');
      assert.equal(readFileSync(locked, 'utf8'), long);
      chmodSync(join(kw.folder, 'locked'), 0o755);
    });

    it('ends silently when its reader does', async () => {
      for (const line of ['kw get long.txt text | head -c 3', 'kw get long.txt text --json | head -c 3']) {
        const { code, stderr } = await kw.shell(`set -o pipefail; ${line}`).ended;
        assert.deepEqual([code, stderr], [0, ''], line);
      }
    });

    it('reports in one line that its output cannot be written', async function () {
      if (!existsSync('/dev/full')) return this.skip();
      for (const line of ['kw get long.txt text > /dev/full', 'kw ls > /dev/full']) {
        const { code, stderr } = await kw.shell(line).ended;
        assert.equal(code, 1, line);
        assert.match(stderr, /^Standard output cannot be written: ENOSPC.*\n$/, line);
      }
    });
  });

  describe('ls, show and watch', () => {
    before(async () => {
      for (let count = 0; count < 5; count += 1)
        assert.equal((await core.upload('listed', `number ${count}`)).status, 'PENDING');
    });

    it('lists the requested resources, in columns and as an array', async () => {
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
      const all = JSON.parse((await kw('ls', '--all', '--type', 'listed', '--json')).stdout);
      assert.equal(all.length, 5);
    });

    it('lists by every filter and in every order, and counts', async () => {
      for (const [name, ...more] of [
        ['b.txt', '--metadata', 'team=archive', '--metadata', 'year=2024'],
        [
          'a.txt',
          '--metadata',
          'team=archive',
          '--metadata',
          'year=2025',
          '--metadata',
          'tag=x',
          '--metadata',
          'tag=y',
        ],
      ] as const)
        assert.equal((await kw('add', file(name, name), '--type', 'filtered', ...more)).code, 0);
      const names = async (...args: string[]): Promise<string[]> =>
        JSON.parse((await kw('ls', '--json', '--type', 'filtered', ...args)).stdout).map(
          (each: { name: string }) => each.name,
        );
      assert.deepEqual(await names('--type', 'listed', '--metadata', 'team=archive'), ['a.txt', 'b.txt']);
      assert.deepEqual(await names('--metadata', 'year>=2025', '--metadata', 'tag=y'), ['a.txt']);
      assert.deepEqual(await names('--metadata', 'year=2024', '--metadata', 'year=2025', '--sort', '-name'), [
        'b.txt',
        'a.txt',
      ]);
      assert.deepEqual(await names('--status', 'FAILED', '--status', 'PENDING', '--no-enabled'), []);
      assert.equal((await kw('ls', '--count', '--type', 'filtered', '--type', 'listed')).stdout, '7\n');
      assert.equal(
        (await kw('set-metadata', 'a.txt', '--set', 'year="2025"', '--set', 'far=1e999', '--unset', 'tag'))
          .code,
        0,
      );
      const [edited] = JSON.parse((await kw('ls', '--json', '--metadata', 'far=1e999')).stdout);
      assert.deepEqual(edited.metadata, { team: 'archive', year: '2025', far: '1e999' });
      assert.match(
        (await kw('show', edited.id)).stdout,
        /^ {2}metadata {3}far=1e999 {2}team=archive {2}year=2025$/m,
      );
      assert.deepEqual(
        [(await kw('set-metadata', 'a.txt')).code, (await kw('ls', '--metadata', 'team')).code],
        [2, 2],
      );
    });

    it('prints and writes the source of a resource', async () => {
      const name = 'kept.txt';
      const { id } = (await core.register('kept', 'as it came\n', name)).body;
      assert.equal((await kw('source', name)).stdout, 'as it came\n');
      assert.equal((await kw('source', id, '-o', 'copy.txt')).code, 0);
      assert.equal(readFileSync(join(kw.folder, 'copy.txt'), 'utf8'), 'as it came\n');
    });

    it('rejects an unknown status', async () => {
      const { code, stderr } = await kw('ls', '--status', 'DONE');
      assert.deepEqual([code, /Allowed choices are PENDING/.test(stderr)], [2, true]);
    });

    it('shows steps, attempts, errors and artifacts', async () => {
      const name = 'shown.txt';
      const { id } = (await core.register('note', 'bad', name)).body;
      const resource = await core.settled(id);
      const { stdout } = await kw('show', name);
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

    it('asks which resource is meant if several have the name', async () => {
      await core.upload('twin', 'same');
      await core.upload('twin', 'same');
      const { code, stderr } = await kw('show', 'twin same');
      assert.equal(code, 1);
      assert.equal(stderr.match(/^ {2}[0-9a-f-]{36} {2}PENDING {2}twin$/gm)?.length, 2, stderr);
      assert.match((await kw('show', 'nobody')).stderr, /No resource has the id or the name nobody\./);
      const codes = JSON.parse((await kw('enable', 'twin same', 'nobody', '--json')).stdout);
      assert.deepEqual(
        codes.map(({ error }: any) => error.code),
        ['AMBIGUOUS_NAME', 'NOT_FOUND'],
      );
    });

    it('watches until the named resources have ended', async () => {
      const { id } = await core.upload('slow', 'watched');
      const running = kw.start('watch', id);
      await eventually(() => running.said.stderr.includes('step 0 (hold), RUNNING'));
      await held.release();
      const { code, stdout } = await running.ended;
      assert.deepEqual([code, stdout], [0, `${id}  COMPLETED   slow watched\n`]);
    });

    it('watches everything until it is interrupted, with a JSON line for each change', async () => {
      const running = kw.start('watch', '--json');
      const { id } = await core.upload('slow', 'seen');
      await eventually(() => running.said.stdout.includes(id));
      const unread = await kw.shell('set -o pipefail; kw watch --json | :').ended;
      assert.deepEqual([unread.code, unread.stderr], [0, '']);
      await held.release();
      const last = await eventually(() =>
        running.said.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .find((resource) => resource.id === id && resource.status === 'COMPLETED'),
      );
      assert.deepEqual(last, (await core.call('GET', `/resources/${id}`)).body);
      await core.call('DELETE', `/resources/${id}`);
      await eventually(() => running.said.stdout.endsWith(`{"id":"${id}","deleted":true}\n`));
      running.child.kill('SIGINT');
      assert.equal((await running.ended).code, 130);
    });
  });

  describe('changes', () => {
    it('reprocesses, from a step too, and waits', async () => {
      const name = 'again.txt';
      await core.settled((await core.register('note', 'again', name)).body.id);
      const again = await kw('reprocess', name, '--wait', '--json');
      assert.deepEqual([again.code, JSON.parse(again.stdout)[0].run], [0, 2]);
      const refused = await kw('reprocess', name, '--from-step', 'failed');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /STEP_NOT_RESUMABLE[^]*"kw show" lists its steps/);
      assert.equal((await kw('reprocess', name, '--from-step', '0', '--wait')).code, 0);
    });

    it('changes many resources by their properties, as an operation', async () => {
      for (const args of [[], ['--all', 'name'], ['--type', 'x', 'name'], ['name', '--dry-run']])
        assert.equal((await kw('reprocess', ...args)).code, 2, args.join(' '));
      const commands = [['rm'], ['cancel'], ['enable'], ['disable'], ['set-metadata', '--set', 'a=1']];
      const unchosen = commands.map(async (command) => {
        const { code, stderr } = await kw(...command, '--yes');
        assert.equal(code, 2, command[0]);
        assert.match(stderr, /^Name the resources, or select them by .* or --all\.$/m, command[0]);
      });
      await Promise.all(unchosen);
      const ids = [(await core.upload('other', 'many 1')).id, (await core.upload('other', 'many 2')).id];
      assert.equal((await kw('set-metadata', ...ids, '--set', 'lot=7', '--set', 'team=a')).code, 0);
      const chosen = ['--metadata', 'lot=7', '--type', 'other'];
      const none = ['--source-type', 'URL', '--waiting', '--sha256', '0'.repeat(64), '--updated-after'];
      const narrowed = await kw('rm', ...chosen, ...none, '2199-01-01T00:00:00Z', '--dry-run');
      assert.match(narrowed.stdout, /^0 match/m, narrowed.stderr);
      const ranges = ['--metadata', 'lot>=7', '--metadata', 'lot<=7.5', '--source-type', 'UPLOAD'];
      const inRange = await kw('rm', ...ranges, '--dry-run', '--json');
      assert.equal(JSON.parse(inRange.stdout).matched, 2, inRange.stderr);
      assert.equal((await kw('rm', '--metadata', 'lot>=8', '--dry-run')).stdout.split(' ')[0], '0');
      const disabled = await kw('disable', ...chosen, '--json');
      assert.deepEqual([disabled.code, JSON.parse(disabled.stdout).done], [0, 2], disabled.stderr);
      const skipped = await kw('reprocess', ...chosen);
      assert.match(`${skipped.stdout}${skipped.stderr}`, /2 skipped: NO_MATCHING_PIPELINE/);
      const unasked = await kw('rm', ...chosen);
      assert.deepEqual([unasked.code, /--yes/.test(unasked.stderr)], [2, true]);
      const removed = await kw('rm', ...chosen, '--yes');
      assert.match(removed.stdout, /^delete: COMPLETED, 2 of 2 done\.$/m);
      for (const id of ids) assert.equal((await core.call('GET', `/resources/${id}`)).status, 404);
      const [last] = JSON.parse((await kw('operations', 'ls', '--limit', '1', '--json')).stdout);
      assert.deepEqual([last.action, last.status], ['delete', 'COMPLETED']);
      assert.match((await kw('operations', 'show', last.id, '--wait')).stdout, /^delete: COMPLETED/);
    });

    it('refuses wrong usage before it asks the service', async () => {
      const far = createKw({ KW_URL: 'http://127.0.0.1:1', KW_API_KEY: 'kw_x' });
      const noId = /It must be an id\./;
      const noTime = /It must be a time/;
      const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
        [['rm', '--all', '-q', '', '--yes'], /-q must not be empty/],
        [['reprocess', '-q', '', '--type', 'note'], /-q must not be empty/],
        [['set-metadata', 'name', '--set', 'a=1', '--unset', 'a'], /Either --set or --unset a, not both\./],
        [['ls', '--created-after', 'yesterday'], noTime],
        [['rm', '--updated-before', '12', '--yes'], noTime],
        [['failures', '--since', '2025-01-01T09:30'], noTime],
        [['operations', 'show', ''], noId],
        [['operations', 'cancel', '..'], noId],
        [['plugins', 'show', ''], noId],
        [['plugins', 'rm', 'echo', '.', '--yes'], noId],
        [['plugins', 'config', 'set', '..', '-'], noId],
      ];
      for (const [args, message] of cases) {
        const { code, stderr } = await far(...args);
        assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
        assert.match(stderr, message, args.join(' '));
      }
      assert.equal((await kw('ls', '--created-after', '2199-01-01', '--count')).stdout, '0\n');
      assert.equal((await kw('failures', '--since', '2199-01-01T00:00:00.123456+01:00', '--json')).code, 0);
    });

    it('shows what each action would change of many resources, and changes that', async () => {
      const make = async (type: string, text: string, changes?: object): Promise<string> => {
        const { id } = await core.upload(type, text);
        if (changes) await core.call('PATCH', `/resources/${id}`, changes);
        return id;
      };
      const failed = await make('note', 'bad to-resume');
      const skipped = [await make('other', 'to-resume'), await make('other', 'to-cancel')];
      const metadata = { lot: 'x', old: 'y', kept: 1 };
      const cases: readonly (readonly [command: string, id: string, after: object, skipped?: string])[] = [
        ['enable -q to-show', await make('other', 'to-show', { is_enabled: false }), { is_enabled: true }],
        ['disable -q to-hide', await make('other', 'to-hide'), { is_enabled: false }],
        [
          'set-metadata --metadata lot=x --set team=b --set old=null --unset lot',
          await make('other', 'to-note', { metadata }),
          { metadata: { kept: 1, team: 'b' } },
        ],
        ['reprocess -q to-resume --from-step failed', failed, { run: 2 }, 'STEP_NOT_RESUMABLE'],
        [
          'cancel -q to-cancel',
          await make('slow', 'to-cancel'),
          { status: 'CANCELLED' },
          'RESOURCE_NOT_PROCESSING',
        ],
      ];
      const state = async (id: string): Promise<object> => {
        const { status, run, is_enabled, metadata } = (await core.call('GET', `/resources/${id}`)).body;
        return { status, run, is_enabled, metadata };
      };
      const states = (): Promise<object[]> =>
        Promise.all([...cases.map(([, id]) => id), ...skipped].map(state));
      await core.settled(failed);
      const before = await states();
      const action = (command: string): string => command.split(' ')[0]!.replace('-', '_');

      const shown = cases.map(async ([command, id, , code]) => {
        const { stdout, stderr } = await kw(...command.split(' '), '--dry-run');
        const [matched, rest] = code === undefined ? [1, ''] : [2, `1 would be skipped: ${code}\n`];
        const expected = `${matched} match; ${action(command)} would apply to 1.\n${rest}  ${id}\n`;
        assert.deepEqual([stdout, stderr], [expected, '']);
      });
      const unasked = await kw('cancel', '-q', 'to-cancel');
      assert.deepEqual([unasked.code, unasked.stdout], [2, '']);
      assert.match(unasked.stderr, /pass --yes/);
      await Promise.all(shown);
      assert.deepEqual(await states(), before);

      const changed = cases.map(async ([command, , , code]) => {
        const { code: exit, stdout } = await kw(...command.split(' '), '--yes');
        const [matched, rest] = code === undefined ? [1, ''] : [2, `1 skipped: ${code}\n`];
        assert.deepEqual(
          [exit, stdout],
          [0, `${action(command)}: COMPLETED, 1 of ${matched} done.\n${rest}`],
        );
      });
      await Promise.all(changed);
      for (const [, id] of cases) await core.settled(id);
      assert.deepEqual(
        await states(),
        before.map((each, at) => ({ ...each, ...cases[at]?.[2] })),
      );
    });

    it('leaves an operation running on Ctrl-C, and says how to follow it', async () => {
      await core.upload('other', 'left');
      await core.stopWorker();
      const following = kw.terminal('disable', '--type', 'other', '--yes');
      await eventually(() => following.said.stdout.includes('disable: 0 of'));
      following.type('\x03');
      assert.equal((await following.ended).code, 130);
      const [, id = ''] = /kw operations show (\S+) --wait/.exec(following.said.stdout) ?? [];
      const shown = await kw('operations', 'show', id);
      assert.match(shown.stdout, /^disable: RUNNING/);
      assert.match((await kw('operations', 'cancel', id)).stdout, /^disable: CANCELLED/);
      await core.startWorker();
    });

    it('lists failures by cause', async () => {
      const { stdout } = await kw('failures', '--json');
      assert.deepEqual(JSON.parse(stdout), (await core.call('GET', '/failures')).body);
      const code = 'CODE_'.padEnd(100, 'x');
      const { id } = await core.upload('note', `bad ${code}`);
      assert.equal((await core.settled(id)).status, 'FAILED');
      const table = (await kw('failures')).stdout;
      assert.match(table, /^COUNT\s+ERROR\s+PLUGIN\s+TYPE/);
      assert.match(table, new RegExp(` ${code} +echo `));
      assert.match((await kw.terminal('failures').ended).stdout, / CODE_x{24}… +echo /);
    });

    it('cancels active runs, and explains why others cannot be cancelled', async () => {
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

    it('deletes only after confirmation', async () => {
      const { id } = await core.upload('other', 'deleted');
      const unasked = await kw('rm', id);
      assert.deepEqual([unasked.code, /--yes/.test(unasked.stderr)], [2, true]);
      const doubted = kw.terminal('rm', id);
      await eventually(() => doubted.said.stdout.includes('[y/N]'));
      doubted.type('n\r');
      assert.equal((await doubted.ended).code, 1);
      assert.equal((await core.call('GET', `/resources/${id}`)).status, 200);
      const meant = kw.terminal('rm', id);
      await eventually(() => meant.said.stdout.includes('[y/N]'));
      meant.type('y\r');
      assert.equal((await meant.ended).code, 0);
      assert.equal((await core.call('GET', `/resources/${id}`)).status, 404);
      const { code, stderr } = await kw('rm', id, '--yes');
      assert.deepEqual([code, /NOT_FOUND/.test(stderr)], [1, true]);
    });

    it('prints with --json what became of each resource when it ends early', async () => {
      const ids = Array.from({ length: 6 }, (_, index) => `0197a1c2-0000-7000-8000-00000000000${index}`);
      const refused = await kw.shell(`KW_API_KEY=kw_wrong kw rm ${ids.join(' ')} --yes --json`).ended;
      assert.match(refused.stderr, /^[^\n]*\(UNAUTHENTICATED\)\nLog in [^\n]*\n$/);
      const items = JSON.parse(refused.stdout);
      assert.deepEqual(
        items.map(({ source }: any) => source),
        ids,
      );
      assert.deepEqual(
        new Set(items.map(({ error }: any) => error.code)),
        new Set(['UNAUTHENTICATED', 'NOT_DONE']),
      );

      const { id } = await core.upload('slow', 'interrupted');
      const cancel = async (): Promise<void> => {
        await core.call('POST', `/resources/${id}/cancel`);
        await core.settled(id);
      };
      await cancel();
      const interrupted = async (...args: string[]): Promise<any> => {
        const { child, said, ended } = kw.start(...args, '--json');
        await eventually(() => said.stderr.includes('step 0 (hold), RUNNING'));
        child.kill('SIGINT');
        const { code, stdout, stderr } = await ended;
        assert.equal(code, 130, stderr);
        return JSON.parse(stdout);
      };
      assert.equal((await interrupted('reprocess', id, '--wait'))[0].id, id);
      const message = 'The command ended before it was processed.';
      assert.deepEqual(await interrupted('watch', id), [
        { source: id, error: { code: 'NOT_DONE', message, details: {} } },
      ]);
      await cancel();
    });

    it('says as JSON which resources it deleted', async () => {
      const { id } = await core.upload('other', 'deleted too');
      const { code, stdout } = await kw('rm', id, '0197a1c2-0000-7000-8000-000000000000', '--yes', '--json');
      const [done, refused] = JSON.parse(stdout);
      assert.deepEqual([code, done, refused.error.code], [1, { id, deleted: true }, 'NOT_FOUND']);
    });
  });
});
