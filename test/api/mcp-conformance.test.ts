import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { startApi, type TestApi } from '../support/service/api.js';
import { reservePort } from '../support/servers/ports.js';
import { temporaryFolder } from '../support/temporary.js';

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const hooks = resolve('test/support/service/mcp-conformance-hooks.mjs');

/** Those that fit any server. The others call tools, prompts and resources that a server for the suite alone would have. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

/** The official conformance suite, which knows the revisions up to 2025-11-25. */
describe('the conformance suite of the Model Context Protocol', () => {
  let api: TestApi;
  let door: Server;
  let url: string;

  // It brings no key: what stands at the public URL adds one.
  before(async () => {
    const port = await reservePort();
    url = `http://localhost:${port}/mcp`;
    api = await startApi({ env: { KW_PUBLIC_URL: `http://localhost:${port}` } });
    const authorization = `Bearer ${await api.key('write')}`;
    door = createServer((incoming, response) => {
      const { url: path, method, headers } = incoming;
      const passed = request(
        api.base + path!,
        { method, headers: { ...headers, authorization } },
        (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        },
      );
      incoming.pipe(passed);
    });
    await new Promise<void>((listening) => door.listen(port, '127.0.0.1', listening));
  });
  after(async () => {
    door.close();
    await api.stop();
  });

  for (const scenario of scenarios) {
    it(`is passed: ${scenario}`, async () => {
      const args = ['--import', hooks, suite, 'server', '--url', url, '--scenario', scenario];
      const said = await new Promise<string>((done) => {
        execFile(process.execPath, args, { cwd: temporaryFolder() }, (error, stdout, stderr) =>
          done(`${stdout}${stderr}${error?.message ?? ''}`),
        );
      });
      assert.match(said, /Passed: (\d+)\/\1, 0 failed/);
    });
  }
});
