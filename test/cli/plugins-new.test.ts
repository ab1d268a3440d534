import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { builtInIds } from '../../cli/plugins/new/command.js';
import { createBuiltInPlugins } from '../../plugins/built-in.js';
import { temporaryFolder } from '../support/temporary.js';

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = resolve('.');
const archiveName = 'knowledge-warehouse-plugin-0.1.0.tgz';
const env = { PATH: process.env['PATH'] };

async function run(cwd: string, program: string, ...args: string[]): Promise<Result> {
  try {
    return { code: 0, ...(await promisify(execFile)(program, args, { cwd, env })) };
  } catch (error) {
    return error as Result;
  }
}

const kw = (cwd: string, ...args: string[]): Promise<Result> =>
  run(cwd, process.execPath, join(root, 'dist/bin/kw.js'), 'plugins', ...args);

describe('kw plugins new', () => {
  let home: string;
  before(() => {
    home = temporaryFolder();
  });

  const written = async (name: string, ...options: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kw(home, 'new', name, ...options);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^Created ${name}\\.[^]*  cd ${name}\n`));
    return join(home, name);
  };

  /** Does what npm would: the packages are those of this checkout, the plugin package is the archive in the folder. */
  const install = async (folder: string): Promise<void> => {
    const modules = join(folder, 'node_modules');
    const plugin = join(modules, '@knowledge-warehouse/plugin');
    mkdirSync(plugin, { recursive: true });
    const archive = join(folder, archiveName);
    const { code, stderr } = await run(folder, 'tar', '-xzf', archive, '-C', plugin, '--strip-components=1');
    assert.equal(code, 0, stderr);
    const packages = [
      '@opentelemetry',
      '@temporalio',
      '@types',
      'ajv',
      'json-schema-to-ts',
      'p-limit',
      'yocto-queue',
      'undici',
      'tsx',
    ];
    for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  };

  /** The lines in which a file differs from the one of the example, whose worker follows every rule of the kit. */
  const changed = (folder: string, example: string, name: string): readonly string[] => {
    const before = readFileSync(join(root, 'plugins/examples', example, name), 'utf8').split('\n');
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    assert.equal(lines.length, before.length);
    return lines.filter((line, index) => line !== before[index]);
  };

  it('creates an HTTP worker in Python', async () => {
    const folder = await written('sentences', '--language', 'python');
    assert.deepEqual(changed(folder, 'python-http', 'worker.py'), [
      'PLUGIN = {"id": "sentences", "name": "Sentences", "kind": "http", "produces": ["words"], "heartbeat_seconds": 30}',
    ]);
  });

  it('creates an activity worker in Python', async () => {
    const folder = await written('long-words', '--language', 'python', '--kind', 'activity');
    assert.deepEqual(readdirSync(folder).sort(), [
      '.gitignore',
      'README.md',
      'requirements.txt',
      'worker.py',
    ]);
    assert.match(readFileSync(join(folder, 'worker.py'), 'utf8'), /"id": "long-words", "name": "Long words"/);
    const { code, stderr } = await run(folder, 'python3', '-m', 'py_compile', 'worker.py');
    assert.equal(code, 0, stderr);
  });

  for (const kind of ['activity', 'http']) {
    it(`creates a package in TypeScript that compiles and passes its tests: ${kind}`, async () => {
      const name = `ts-${kind}`;
      const folder = await written(name, '--kind', kind);
      await install(folder);
      const example = `typescript-${kind}`;
      assert.deepEqual(changed(folder, example, 'plugin.ts'), [`  id: '${name}',`, `  name: 'Ts ${kind}',`]);
      assert.deepEqual(changed(folder, example, 'worker.ts'), []);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      assert.equal(manifest.name, name);
      assert.equal(manifest.dependencies['@knowledge-warehouse/plugin'], `file:${archiveName}`);
      assert.equal('@temporalio/worker' in manifest.dependencies, kind === 'activity');
      const [compiled, tested] = await Promise.all([
        run(folder, process.execPath, join(root, 'node_modules/typescript-7/bin/tsc')),
        run(folder, 'sh', '-c', manifest.scripts.test),
      ]);
      assert.equal(compiled.code, 0, compiled.stdout);
      assert.equal(tested.code, 0, tested.stdout);
      assert.match(tested.stdout, /# pass [1-9]\d*\n# fail 0/);
      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      assert.match(readme, /`npm test` tests its code without a service/);
      const check =
        kind === 'http'
          ? /kw plugins check http:/
          : /kw plugins check --activity --start "cd .* && npm start"/;
      assert.match(readme, check);
    });
  }

  it('creates the plugin in the given folder', async () => {
    const { code } = await kw(home, 'new', 'elsewhere', '--dir', 'deep/down', '--language', 'python');
    assert.deepEqual([code, readdirSync(join(home, 'deep/down')).includes('worker.py')], [0, true]);
  });

  it('rejects an invalid plugin id', async () => {
    for (const name of ['Word_Count', '-x', 'a'.repeat(64)]) {
      const { code, stderr } = await kw(home, 'new', '--', name);
      assert.deepEqual(
        [code, /^\S+ cannot be the id of a plugin: use at most 63 lower-case/.test(stderr)],
        [2, true],
        stderr,
      );
    }
  });

  it('rejects the id of a built-in plugin', async () => {
    assert.deepEqual(
      builtInIds,
      createBuiltInPlugins({ vectorFolder: '/vectors' }).map(({ id }) => id),
    );
    const { code, stderr } = await kw(home, 'new', 'embed');
    assert.deepEqual(
      [code, stderr, readdirSync(home).includes('embed')],
      [2, 'embed is the id of a built-in plugin: choose another name.\n', false],
    );
  });

  it('does not touch a folder that is not empty', async () => {
    mkdirSync(join(home, 'taken'));
    writeFileSync(join(home, 'taken/notes'), 'mine');
    const { code, stderr } = await kw(home, 'new', 'taken');
    assert.equal(code, 1);
    assert.match(stderr, /taken already exists and is not an empty folder/);
    assert.deepEqual(readdirSync(join(home, 'taken')), ['notes']);
  });
});
