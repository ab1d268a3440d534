import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, pack, runClientProgram, runExampleWorker } from '../support/packed-project.js';
import { onSharedServers, startStack, type TestStack } from '../support/stack.js';
import type { WorkerProcess } from '../support/worker-process.js';

const run = promisify(execFile);

describe('the packages, as they are packed', () => {
  let stack: TestStack;
  let worker: WorkerProcess | undefined;
  before(async () => {
    stack = await startStack({ env: await onSharedServers() });
  });
  after(async () => {
    await worker?.stop();
    await stack.stop();
  });

  it('run an example that is compiled against them, beside a service', async () => {
    const [plugin, client] = await Promise.all([pack('plugin'), pack('client')]);
    const author = createProject();
    await author.unpack('plugin', plugin);
    worker = await runExampleWorker(author, stack);
    const caller = createProject();
    await caller.unpack('client', client);
    const headings = [
      { level: 1, title: 'One', line: 1 },
      { level: 2, title: 'Two', line: 3 },
    ];
    const seen = await runClientProgram(caller, stack);
    assert.deepEqual(seen, ['COMPLETED', 'COMPLETED', 14, { headings }, 5, 'ready']);
  });

  it('say what is missing and what is wrong', async () => {
    const project = createProject();
    await project.unpack('plugin', await pack('plugin'));
    writeFileSync(
      join(project.folder, 'main.mjs'),
      `import { definePlugin, runActivityWorker } from '@knowledge-warehouse/plugin';
       const head = { id: 'a', name: 'A', version: '1', produces: [], run() {} };
       definePlugin(head);
       try { definePlugin({ ...head, configSchema: { type: 'objekt' } }); } catch (error) { console.log(String(error)); }
       await runActivityWorker([]).catch((error) => console.log(String(error)));`,
    );
    const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: project.folder });
    assert.match(stdout, /^TypeError: The configSchema of the plugin a is not a valid JSON Schema: .*type/);
    assert.match(stdout, /needs packages of Temporal\. Install them: npm install @temporalio\/activity/);
  });
});
