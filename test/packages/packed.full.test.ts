import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createProject,
  pack,
  runClientProgram,
  runExampleWorker,
} from '../support/service/packed-project.js';
import { onSharedServers, startStack } from '../support/service/stack.js';
import type { WorkerProcess } from '../support/workers/worker-process.js';

const run = promisify(execFile);

describe('the packages, as npm installs them', () => {
  it('are small, and work', async () => {
    const stack = await startStack({ env: await onSharedServers() });
    let worker: WorkerProcess | undefined;
    try {
      const author = createProject();
      const plugin = await author.install([await pack('plugin')]);
      assert.ok(plugin.megabytes <= 15 && plugin.packages <= 30, JSON.stringify(plugin));
      worker = await runExampleWorker(author, stack);
      const caller = createProject();
      await caller.install([await pack('client')]);
      const headings = [
        { level: 1, title: 'One', line: 1 },
        { level: 2, title: 'Two', line: 3 },
      ];
      const seen = await runClientProgram(caller, stack);
      assert.deepEqual(seen, ['COMPLETED', 'COMPLETED', 14, { headings }, 5, 'ready']);
    } finally {
      await worker?.stop();
      await stack.stop();
    }
  });

  it('are bundled in the archive of the service, which installs alone', async () => {
    const project = createProject();
    const service = await project.install([await pack()]);
    assert.ok(service.megabytes < 480, JSON.stringify(service));
    const kw = join(project.folder, 'node_modules/.bin/kw');
    await run(kw, ['plugins', 'new', 'shout', '--kind', 'http'], { cwd: project.folder });
    const folder = join(project.folder, 'shout');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder });
    await run('npm', ['run', 'check'], { cwd: folder });
    await run('npm', ['test'], { cwd: folder });
  });

  it('do not affect the packages of a project with other dependencies', async () => {
    const project = createProject();
    await project.install([await pack()]);
    const file = join(project.folder, 'package.json');
    writeFileSync(file, JSON.stringify({ name: 'theirs', dependencies: { rxjs: '*' } }));
    const theirs = join(project.folder, 'node_modules/rxjs/src/index.ts');
    mkdirSync(join(theirs, '..'), { recursive: true });
    writeFileSync(theirs, '');
    const prune = join(project.folder, 'node_modules/knowledge-warehouse/scripts/prune-install.mjs');
    await run(process.execPath, [prune]);
    assert.ok(existsSync(theirs));
    writeFileSync(file, JSON.stringify({ name: 'ours', dependencies: { 'knowledge-warehouse': '*' } }));
    await run(process.execPath, [prune]);
    assert.ok(!existsSync(theirs));
  });
});
