import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from './support/temporary.js';

const script = fileURLToPath(new URL('../scripts/audit.mjs', import.meta.url));
const advisories = '/-/npm/v1/security/advisories/bulk';

interface Audited {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Audits a project that depends on `sieve`, which depends on `mesh`, and for development on `loom` and on `press`, which
 * depends on `ink`.
 *
 * @param bundled The packages for development that its build bundles
 */
async function audit(
  registry: string,
  { locked = true, bundled = [] as readonly string[] } = {},
): Promise<Audited> {
  const folder = temporaryFolder();
  const write = (name: string, value: object): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  const root = {
    name: 'mill',
    version: '1.0.0',
    dependencies: { sieve: '^1.0.0' },
    devDependencies: { loom: '^1.0.0', press: '^1.0.0' },
    bundledFrom: bundled,
  };
  const packages = {
    '': root,
    'node_modules/sieve': { version: '1.2.3', dependencies: { mesh: '^2.0.0' } },
    'node_modules/mesh': { version: '2.0.0' },
    'node_modules/loom': { version: '1.0.0', dev: true },
    'node_modules/press': { version: '1.0.0', dev: true, dependencies: { ink: '^1.0.0' } },
    'node_modules/ink': { version: '1.0.0', dev: true },
  };
  write('package.json', root);
  if (locked) write('package-lock.json', { name: 'mill', version: '1.0.0', lockfileVersion: 3, packages });
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { ...process.env, npm_config_registry: registry, npm_config_cache: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output: stdout + stderr };
}

describe('npm run check:audit', () => {
  let registry: Server;
  let url: string;
  /** What the registry answers when it is asked for advisories; null: what it answers to anything else, a 404. */
  let answer: { readonly status: number; readonly body: object } | null;

  before(async () => {
    registry = createServer((request, response) => {
      request.resume();
      const { status, body } = (request.url === advisories && answer) || { status: 404, body: {} };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  });
  after(() => registry.close());

  const advisory = (severity: string): object => ({
    id: 1,
    url: 'https://example.com/advisories/1',
    title: 'Holes in the mesh',
    severity,
    vulnerable_versions: '<=2.0.0',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  });

  it('fails for findings that are high or critical, naming the package, the severity and the advisory', async () => {
    answer = { status: 200, body: { mesh: [advisory('high')], sieve: [advisory('critical')] } };
    const { code, output } = await audit(url);
    assert.equal(code, 1, output);
    assert.match(output, /^high: mesh: Holes in the mesh \(https:\/\/example\.com\/advisories\/1\)$/m);
    assert.match(output, /^critical: sieve: .*Holes in the mesh \(https:\/\/example\.com\/advisories\/1\)/m);
  });

  it('passes without findings, with lesser ones, and with those of packages for development alone', async () => {
    for (const body of [{}, { mesh: [advisory('moderate')], loom: [advisory('critical')] }]) {
      answer = { status: 200, body };
      const { code, output } = await audit(url);
      assert.equal(code, 0, output);
      assert.match(output, /^0 packages have high or critical advisories/m);
    }
  });

  it('fails for a finding in a package that the build bundles, or in a dependency of one', async () => {
    answer = { status: 200, body: { press: [advisory('high')], ink: [advisory('high')] } };
    const { code, output } = await audit(url, { bundled: ['press'] });
    assert.equal(code, 1, output);
    for (const name of ['press', 'ink']) assert.match(output, new RegExp(`^high: ${name}: `, 'm'));
  });

  it('passes if the registry does not support audits, and says so', async () => {
    for (const status of [404, 503]) {
      answer = { status, body: {} };
      const { code, output } = await audit(url);
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`^No audit: the registry does not provide one: ${status} `, 'm'));
    }
    const { code, output } = await audit('http://127.0.0.1:1');
    assert.equal(code, 0, output);
    assert.match(output, /^No audit: the registry does not provide one: .*ECONNREFUSED/m);
  });

  it('fails if the installed packages are unknown', async () => {
    const { code, output } = await audit(url, { locked: false });
    assert.equal(code, 1, output);
    assert.match(output, /^npm audit failed: .*lockfile/m);
  });
});
