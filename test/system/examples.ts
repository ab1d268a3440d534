import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { reservePort } from '../support/servers/ports.js';
import { findPython } from '../support/servers/python.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import type { TestStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';
import { startWorkerProcess, type WorkerProcess } from '../support/workers/worker-process.js';

const top = fileURLToPath(new URL('../..', import.meta.url));
/** Beside them stand the settings of the compiler. */
const examples = readdirSync(join(top, 'plugins/examples')).filter((name) => !name.endsWith('.json'));

/** What each makes of the text below. */
const source = '# One\n\nWords, words and more words.\n\n## Two\n\nThe words end.\n';
const expected: Readonly<Record<string, readonly [plugin: string, artifact: string, content: unknown]>> = {
  'typescript-activity': [
    'keywords',
    'keywords',
    {
      words: [
        { word: 'words', count: 4 },
        { word: 'more', count: 1 },
      ],
    },
  ],
  'typescript-http': [
    'outline',
    'outline',
    {
      headings: [
        { level: 1, title: 'One', line: 1 },
        { level: 2, title: 'Two', line: 5 },
      ],
    },
  ],
  'python-activity': ['reading-time', 'reading-time', { words: 12, minutes: 0.1 }],
  'python-http': [
    'word-count',
    'words',
    { total: 10, counts: { one: 1, words: 4, and: 1, more: 1, two: 1, the: 1, end: 1 } },
  ],
};

/** Declares the tests of the examples, as workers of a stack. */
export const describeExamples = (stackOf: () => TestStack): unknown =>
  describe('the examples for plugin authors', () => {
    let client: RestClient;
    const workers: WorkerProcess[] = [];
    /** A checkout of its own: what the commands write stays out of this one. */
    const checkout = temporaryFolder();

    before(async () => {
      for (const name of ['plugins', 'dist', 'node_modules', 'package.json'])
        symlinkSync(join(top, name), join(checkout, name));
      mkdirSync(join(checkout, '.kw'));
      // The command of the Python example finds an environment in which most is done.
      if (!isFull) {
        const requirements = new URL(
          '../../plugins/examples/python-activity/requirements.txt',
          import.meta.url,
        );
        const { python } = await findPython(requirements);
        await promisify(execFile)('cp', ['-RH', join(dirname(python), '..'), join(checkout, '.venv')]);
        // The first line of the copied program names the kept environment, which it must not change.
        const pip = join(checkout, '.venv/bin/pip');
        const program = readFileSync(pip, 'utf8').replace(/^#!.*/, `#!${checkout}/.venv/bin/python3`);
        writeFileSync(pip, program);
      }
      const stack = stackOf();
      for (const name of ['stack.json', 'admin-key'])
        symlinkSync(join(stack.dataDir, name), join(checkout, '.kw', name));
      client = createRestClient(stack);
    });
    after(async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    });

    it('are those that are tested here, each under a hundred lines of code', () => {
      assert.deepEqual(examples.sort(), Object.keys(expected).sort());
      for (const name of examples) {
        const folder = join(top, 'plugins/examples', name);
        const code = readdirSync(folder).filter((file) => /\.(ts|py)$/.test(file));
        const lines = code.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
        assert.ok(lines.reduce((a, b) => a + b) < 100, `${name}: ${lines.join(' + ')}`);
      }
    });

    it('keep one secret for a service on this machine, whether its URL says localhost or 127.0.0.1', async () => {
      const service = createServer((_, response) => response.end('{"signing_secret": "whsec_a"}'));
      await once(service.listen(0, '127.0.0.1'), 'listening');
      // Through this proxy, each URL leads to the same service.
      const http_proxy = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
      const script = join(top, 'plugins/examples/python-http/worker.py');
      const foldersOf = async (KW_URL: string): Promise<string[]> => {
        const cwd = temporaryFolder();
        const env = { KW_URL, KW_API_KEY: 'key', PORT: '0', http_proxy };
        const worker = startWorkerProcess('python3', [script], { cwd, env });
        workers.push(worker);
        await eventually(() => worker.output().includes('listens on port'));
        return readdirSync(join(cwd, '.kw-secrets'));
      };
      const urls = ['http://localhost', 'http://localhost:81/kw', 'http://mylocalhost:81'];
      try {
        const folders = await Promise.all(urls.map(foldersOf));
        assert.deepEqual(folders.flat(), ['127.0.0.1', '127.0.0.1_81_kw', 'mylocalhost_81']);
      } finally {
        service.close();
      }
    });

    for (const [name, [plugin_id, type, content]] of Object.entries(expected)) {
      it(`${name}: runs with only the command in its README`, async function () {
        const readme = readFileSync(join(top, 'plugins/examples', name, 'README.md'), 'utf8');
        const commands = [...readme.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, command = '']) => command);
        assert.equal(commands.length, 1);
        assert.ok(!commands[0]!.includes('\n'));
        const requirements = `plugins/examples/${name}/requirements.txt`;
        assert.equal(
          commands[0]!.includes(`pip install -q -r ${requirements}`),
          existsSync(join(top, requirements)),
        );
        const worker = startWorkerProcess(
          'sh',
          ['-c', `exec env PORT=${await reservePort()} sh -c "$0"`, commands[0]!],
          { cwd: checkout },
        );
        workers.push(worker);
        await eventually(() => client.expect(200, 'GET', `/plugins/${plugin_id}`)).catch((error: unknown) => {
          throw new Error(`It did not register itself:\n${worker.output()}`, { cause: error });
        });
        const steps = [{ plugin_id, timeout_seconds: 30 }];
        await client.expect(201, 'POST', '/pipelines', { name, trigger_type: name, steps });
        const { id } = await client.upload(name, { text: source });
        const resource = await client.settled(id);
        assert.equal(resource.status, 'COMPLETED', `${JSON.stringify(resource.error)}\n${worker.output()}`);
        assert.deepEqual((await client.artifact(resource, type)).content, content);
      });
    }
  });
