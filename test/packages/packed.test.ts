import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, pack } from '../support/service/packed-project.js';

const run = promisify(execFile);

/** Programs against both packages, beside a service, run in packed.full.test.ts. */
describe('the packed packages', () => {
  it('explain what is missing and what is wrong', async () => {
    const project = createProject();
    await project.unpack('plugin', await pack('plugin'));
    writeFileSync(
      join(project.folder, 'main.mjs'),
      `import { definePlugin, runActivityWorker } from '@knowledge-warehouse/plugin';
       const head = { id: 'a', name: 'A', version: '1', produces: [], run() {} };
       await runActivityWorker([]).catch((error) => console.log(String(error)));
       try { definePlugin({ ...head, configSchema: { type: 'objekt' } }); } catch (error) { console.log(String(error)); }
       await runActivityWorker([definePlugin(head)]).catch((error) => console.log(String(error)));`,
    );
    const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: project.folder });
    assert.match(stdout, /^Error: A worker needs at least one plugin\.$/m);
    assert.match(stdout, /^TypeError: The configSchema of the plugin a is not a valid JSON Schema: .*type/m);
    assert.match(stdout, /needs the Temporal packages\. Install them: npm install @temporalio\/activity/);
  });
});
