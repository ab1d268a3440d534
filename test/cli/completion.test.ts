import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApi, type TestApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';
import { createKw, type Kw, type RunningKw } from '../support/service/kw.js';

describe('completion', function () {
  let api: TestApi;
  let kw: Kw;
  before(async () => {
    api = await startApi();
    kw = createKw({ KW_URL: api.base, KW_API_KEY: await api.key('admin') });
    const plugin = { id: 'ocr', name: 'OCR', kind: 'http', endpoint: 'https://ocr.example.com/' };
    assert.equal((await api.call('POST', '/plugins', plugin)).status, 201);
    for (const type of ['scan', 'scan with space']) {
      const pipeline = { name: type, trigger_type: type, steps: [{ plugin_id: 'ocr' }] };
      assert.equal((await api.call('POST', '/pipelines', pipeline)).status, 201);
    }
    assert.equal((await api.upload({ name: 'Quarterly report', type: 'none' })).status, 201);
    assert.equal((await api.upload({ name: `A: b's "x"`, type: 'none' })).status, 201);
    for (const name of ['Hi! me@home', 'no\u00a0break'])
      assert.equal((await api.upload({ name, type: 'none' })).status, 201);
    writeFileSync(join(kw.folder, 'one file.txt'), 'x');
    const credentials = join(kw.folder, 'config/knowledge-warehouse');
    mkdirSync(credentials, { recursive: true });
    const services = { [stored]: { api_key: 'kw_x' } };
    writeFileSync(join(credentials, 'credentials.json'), JSON.stringify({ current: null, services }));
  });
  after(() => api.stop());

  const complete = async (typed: string, ...options: string[]): Promise<string[]> => {
    const { code, stdout } = await kw('complete', ...options, '--', `kw ${typed}`);
    assert.equal(code, 0);
    return stdout
      .split('\n')
      .map((line) => line.split('\t')[0]!)
      .filter(Boolean);
  };

  it('knows commands, options, statuses and names', async () => {
    const commands = await complete('');
    for (const name of ['add', 'ls', 'pipelines', 'login', 'serve']) assert(commands.includes(name), name);
    assert(!commands.includes('complete'));
    assert.deepEqual(await complete('pl'), ['plugins']);
    assert.deepEqual(await complete('plugins co'), ['config']);
    assert.deepEqual(await complete('ls --st'), ['--status']);
    assert.deepEqual(await complete('ls --status C'), ['COMPLETED', 'CANCELLED']);
    assert.deepEqual(await complete('ls --status=PE'), ['--status=PENDING']);
    assert.deepEqual((await complete('add a --type s')).sort(), ['scan', 'scan with space']);
    assert.deepEqual(await complete('plugins show '), ['ocr']);
    assert.deepEqual(await complete('plugins config set ocr '), [':files']);
    assert.deepEqual(await complete('pipelines rm scan scan\\ w'), ['scan with space']);
    assert.deepEqual(await complete('show Quart'), ['Quarterly report']);
    assert.deepEqual(await complete('add '), [':files']);
    assert.deepEqual(await complete('show x '), []);
    assert(!(await complete('ls --all --a')).includes('--all'));
  });

  it('prints for bash what replaces the text after the last separator, in the same quotes', async () => {
    for (const [typed, ...expected] of [
      ['ls --status=F', 'FAILED'],
      ['ls --status F', 'FAILED'],
      [String.raw`add --type scan\ w`, String.raw`scan\ with\ space`],
      [`add --type "scan w`, 'scan with space'],
      [`add --type='scan w`, 'scan with space'],
      ['show "A: b', `A: b's \\"x\\"`],
      ["show 'A: b", String.raw`A: b'\''s "x"`],
      ['show A:', String.raw`\ b\'s\ \"x\"`],
      [String.raw`show A\:\ b`, String.raw`A:\ b\'s\ \"x\"`],
      ['show "Hi', `Hi"'!'" me@home`],
      [String.raw`show Hi\!\ me@h`, '@home'],
      ['show no\u00a0b', 'no\u00a0break'],
    ])
      assert.deepEqual(await complete(typed!, '--bash', ` \t\n"'@><=;|&(:`), expected, typed);
  });

  it('is silent if no service responds', async () => {
    const lonely = createKw({ KW_URL: 'http://127.0.0.1:1', KW_API_KEY: 'kw_x' });
    const { code, stdout, stderr } = await lonely('complete', '--', 'kw add --type ');
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  });

  const stored = 'http://kw.example:8080';
  const shells = [
    ['bash', 'bash --noprofile --norc -i', 'eval "$(kw completion bash)"'],
    ['zsh', 'zsh -f -i', 'autoload -Uz compinit && compinit -u -D && eval "$(kw completion zsh)"'],
  ] as const;
  for (const [shell, command, setUp] of shells) {
    describe(`in ${shell}`, () => {
      let running: RunningKw | undefined;
      before(async function () {
        if (spawnSync(shell, ['-c', ':']).status !== 0) this.skip();
        const started = (running = kw.shellTerminal(command));
        started.type(`PS1='ready> '; ${setUp}; echo set''up\r`);
        await eventually(() => started.said.stdout.includes('setup'));
      });
      after(async () => {
        running?.child.kill('SIGKILL');
        await running?.ended;
      });

      /** Types words and the tab key, sees what the line becomes, and takes it away. */
      const becomes = async (typed: string, line: string): Promise<void> => {
        const { said } = running!;
        const type = (text: string): void => running!.type(text);
        const shownSince = (from: number): string =>
          said.stdout.slice(from).replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0007\b\s]/g, '');
        const before = said.stdout.length;
        type(`${typed}\t`);
        await eventually(() => shownSince(before).includes(line.replace(/\s/g, ''))).catch(() =>
          assert.fail(`${typed}: ${JSON.stringify(said.stdout.slice(before))}`),
        );
        const after = said.stdout.length;
        type('\u0015\r');
        await eventually(() => shownSince(after).includes('ready>'));
      };

      it('completes commands, options, statuses, names with spaces, and files', async () => {
        await becomes('kw pipelines app', 'kw pipelines apply');
        await becomes('kw ls --stat', 'kw ls --status');
        await becomes('kw show Quart', String.raw`kw show Quarterly\ report`);
        await becomes('kw add one', String.raw`kw add one\ file.txt`);
        await becomes(String.raw`kw add one\ f`, String.raw`kw add one\ file.txt`);
        await becomes(String.raw`kw show Quarterly\ r`, String.raw`kw show Quarterly\ report`);
        await becomes('kw show "Quarterly r', 'kw show "Quarterly report"');
        await becomes("kw show 'Quarterly r", "kw show 'Quarterly report'");
        await becomes(String.raw`kw show Hi\!\ me@h`, String.raw`kw show Hi\!\ me@home`);
        if (shell === 'bash') await becomes('kw show "Hi', `kw show "Hi"'!'" me@home"`);
        await becomes('kw ls --status=COM', 'kw ls --status=COMPLETED');
        await becomes(`kw ls --url ${stored.slice(0, -2)}`, `kw ls --url ${stored}`);
      });
    });
  }
});
