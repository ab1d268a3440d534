import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRestClient } from '../support/service/rest-client.js';
import { startStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';

const run = promisify(execFile);
const { platform, arch } = process;

/** Those that package.json allows beside the one that runs the tests. */
for (const version of ['22', '24']) {
  describe(`kw start with Node ${version}`, function () {
    it('starts, processes a document and stops', async function () {
      // Of other systems npm has no programs of each version.
      if (platform !== 'linux') return this.skip();
      const folder = temporaryFolder();
      const name = `node-${platform}-${arch}`;
      await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`]);
      const node = join(folder, 'node_modules', name, 'bin/node');
      assert.match((await run(node, ['--version'])).stdout, new RegExp(`^v${version}\\.`));
      const stack = await startStack({ node });
      try {
        const client = createRestClient(stack);
        const { id } = await client.upload('document', { fixture: 'handbook.pdf' });
        const resource = await client.settled(id);
        assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
        assert.match((await client.artifact(resource, 'text')).content, /Section 130\.3 applies/);
      } finally {
        assert.equal(await stack.stop(), 0);
      }
    });
  });
}
