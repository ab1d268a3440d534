import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openDataDirectory } from '../../runtime/embedded/data-dir.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';
import { createKw, type Kw, type KwResult } from '../support/service/kw.js';

describe('the service and key that kw uses', function () {
  let api: TestApi;
  let key: string;
  let kw: Kw;
  before(async () => {
    api = await startApi();
    key = await api.key('read');
  });
  after(() => api.stop());
  beforeEach(() => {
    kw = createKw({});
  });

  const credentials = (): string => join(kw.folder, 'config/knowledge-warehouse/credentials.json');
  const works = ({ code, stderr }: KwResult): void => assert.equal(code, 0, stderr);

  it('asks for the key without showing it, and stores it readable only by its owner', async () => {
    const running = kw.terminal('login', api.base);
    await eventually(() => running.said.stdout.includes('API key for'));
    running.type(`${key}\r`);
    const { code, stdout } = await running.ended;
    assert.equal(code, 0, stdout);
    assert(!stdout.includes(key));
    assert.equal(statSync(credentials()).mode & 0o777, 0o600);
    assert.equal(statSync(join(credentials(), '..')).mode & 0o777, 0o700);
    works(await kw('ls'));
  });

  it('aborts the prompt on Ctrl-C', async () => {
    const running = kw.terminal('login', api.base);
    await eventually(() => running.said.stdout.includes('API key for'));
    running.type('\u0003');
    assert.equal((await running.ended).code, 130);
    assert(!existsSync(credentials()));
  });

  it('reads the key from standard input, and removes it on logout', async () => {
    works(await kw.fed(`${key}\n`, 'login', `${api.base}/api/v1/`));
    works(await kw('ls'));
    works(await kw('logout'));
    assert(!readFileSync(credentials(), 'utf8').includes(key));
    const { code, stderr } = await kw('ls');
    assert.deepEqual([code, /log in with "kw login URL"/.test(stderr)], [2, true]);
    assert.equal((await kw('logout')).code, 1);
  });

  const refused: readonly [string, () => string | Promise<string>, RegExp][] = [
    [
      'a key that the service does not take',
      () => 'kw_wrong',
      /does not accept this key\. Nothing was stored\./,
    ],
    ['a key that may not read', () => api.key('plugin:ocr'), /may not read.* Nothing was stored\./],
    ['nothing', () => '', /The key is empty\./],
    ['what cannot be a key', () => 'two words', /This is not an API key/],
  ];
  for (const [what, given, message] of refused) {
    it(`stores nothing for ${what}`, async () => {
      const { code, stderr } = await kw.fed(await given(), 'login', api.base);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert(!existsSync(credentials()));
    });
  }

  it('rejects a missing URL, a URL with a password, and invalid URLs', async () => {
    assert.equal((await kw.fed(key, 'login')).code, 2);
    for (const url of [api.base.replace('//', '//me:secret@'), 'ftp://example.com', 'http://'])
      assert.equal((await kw.fed(key, 'login', url)).code, 2, url);
  });

  it('prefers flags to the environment, and the environment to stored keys', async () => {
    works(await kw.fed(key, 'login', api.base));
    const wrong = createKw({ ...kw.env, KW_API_KEY: 'kw_wrong' });
    assert.match((await wrong('ls')).stderr, /UNAUTHENTICATED\)\nLog in with "kw login"/);
    writeFileSync(join(wrong.folder, 'key'), `${key}\n`);
    works(await wrong('ls', '--key-file', 'key'));
    const elsewhere = createKw({ ...kw.env, KW_URL: 'http://127.0.0.1:1' });
    works(await elsewhere('ls', '--url', api.base));
    // A stored key goes to its own service alone.
    assert.match((await elsewhere('ls')).stderr, /There is no key for http:\/\/127\.0\.0\.1:1/);
  });

  it('finds the service that npm start runs in this folder', async () => {
    const data = join(kw.folder, '.kw');
    mkdirSync(data);
    const directory = await openDataDirectory(data);
    directory.writeAdminKey(key);
    directory.writeStack({
      api: api.base,
      temporal_address: 'x',
      temporal_namespace: 'default',
      temporal_ui: 'http://127.0.0.1:1234',
      database_url: 'x',
      processes: {},
    });
    works(await kw('ls'));
    directory.release();
    assert.equal((await kw('ls')).code, 2);
    writeFileSync(join(kw.folder, '.env'), 'KW_DATA_DIR=other\n');
    const other = await openDataDirectory(join(kw.folder, 'other'));
    other.writeAdminKey(key);
    other.writeStack({
      api: api.base,
      temporal_address: 'x',
      temporal_namespace: 'default',
      temporal_ui: null,
      database_url: 'x',
      processes: {},
    });
    works(await kw('ls'));
    other.release();
  });

  it('reads .env and stack.json only for the npm start of this folder, and names the one that it cannot read', async () => {
    const given = createKw({ KW_URL: api.base, KW_API_KEY: key });
    for (const folder of [kw.folder, given.folder]) {
      symlinkSync('.env', join(folder, '.env'));
      mkdirSync(join(folder, '.kw'));
    }
    works(await given('ls'));
    const unreadable = await kw('ls');
    assert.equal(unreadable.code, 1);
    assert.match(unreadable.stderr, /^\.env cannot be read: ELOOP[^\n]*\n$/);
    const remote = await kw('ls', '--url', 'https://kw.example');
    assert.match(remote.stderr, /^There is no key for https:\/\/kw\.example: log in/);

    rmSync(join(kw.folder, '.env'));
    execFileSync('mkfifo', [join(kw.folder, '.env')]);
    for (const stack of ['{"api":', 'null']) {
      writeFileSync(join(kw.folder, '.kw/stack.json'), stack);
      const { code, stderr } = await kw('ls');
      assert.equal(code, 1);
      assert.match(stderr, /^\S+\/\.kw\/stack\.json is damaged: run "npm start" again\.\n$/);
    }
    works(await kw.fed(key, 'login', api.base));
    works(await kw('ls'));
  });

  it('names the missing scope', async () => {
    const reader = createKw({ KW_URL: api.base, KW_API_KEY: key });
    writeFileSync(join(reader.folder, 'a.txt'), 'a');
    const { code, stderr } = await reader('add', 'a.txt', '--type', 'x');
    assert.equal(code, 1);
    assert.match(stderr, /it needs the scope write.*FORBIDDEN\)\nUse a key that allows this/);
  });

  it('exits with 2 for wrong usage, and with 0 for help', async () => {
    for (const args of [['nosuch'], ['ls', '--limit', '0'], ['pipelines'], ['completion', 'fish']])
      assert.equal((await kw(...args)).code, 2, args.join(' '));
    for (const args of [['--help'], ['--version']]) assert.equal((await kw(...args)).code, 0, args.join(' '));
  });

  it('shows the help of commands of several words', async () => {
    for (const words of [['plugins', 'config', 'set'], ['ls']]) {
      const shown = await kw('help', ...words);
      assert.equal(shown.code, 0);
      assert.deepEqual(await kw(...words, '--help'), shown);
    }
    const unknown = await kw('help', 'keys', 'nosuch');
    assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
    assert.match(unknown.stderr, /^Usage: kw keys /);
  });

  it('uses the proxy in the environment, with or without a scheme, and names the variable that has none', async () => {
    const asked: unknown[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const upstream = connect(Number(new URL(api.base).port), '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      socket.on('close', () => upstream.destroy());
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const { port } = proxy.address() as AddressInfo;
    const through = (variables: Record<string, string>): Promise<KwResult> =>
      createKw({ KW_URL: 'http://kw.example:8080', KW_API_KEY: key, ...variables })('ls', '--json');
    for (const [name, scheme] of [
      ['HTTP_PROXY', ''],
      ['http_proxy', 'http://'],
    ] as const) {
      works(await through({ [name]: `${scheme}localhost:${port}` }));
      assert.deepEqual(asked.splice(0), ['kw.example:8080']);
    }
    for (const name of ['HTTP_PROXY', 'https_proxy']) {
      const { code, stderr } = await through({ [name]: 'ftp://user:secret@proxy.example' });
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^${name} is not the URL of a proxy, [^\\n]*\\n$`));
    }
    let cutOff = 0;
    proxy.removeAllListeners('connect').on('connect', (_, socket) => {
      cutOff += 1;
      socket.destroy();
    });
    const { code, stderr } = await through({ HTTP_PROXY: `localhost:${port}` });
    assert.equal(code, 1);
    assert.match(stderr, /does not answer \(the proxy localhost:\d+ closed the connection\)/);
    assert.ok(cutOff > 0 && cutOff < 10, `${cutOff}`);
    proxy.close();
  });

  it('stores no key for another server and takes none of its answers for those of the service', async () => {
    const other = createServer((_, outgoing) => outgoing.end('{"hello":1}'));
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const user = createKw({ KW_URL: url, KW_API_KEY: key });
    writeFileSync(join(user.folder, 'a.txt'), 'a');
    const counting = createServer((_, outgoing) => outgoing.end('{"items":[],"total":3}'));
    await new Promise<void>((listening) => counting.listen(0, '127.0.0.1', listening));
    const counts = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`;
    const results = await Promise.all([
      kw.fed(key, 'login', url),
      user('ls'),
      user('ls', '--count'),
      user('ls', '--count', '--url', counts),
      user('show', 'a.txt'),
      user('show', '0191b1f0-0000-7000-8000-000000000000'),
      user('add', 'a.txt', '--type', 'x'),
      user('rm', '--yes', '0191b1f0-0000-7000-8000-000000000000'),
    ]);
    for (const { code, stdout, stderr } of results) {
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, /does not come from this service\.[^\n]*\n$/);
    }
    assert(!existsSync(credentials()));
    for (const server of [other, counting]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('waits as long as a rate limit requires', async () => {
    let asked = 0;
    // Stands before the API and has enough after the first request.
    const strict = createServer((incoming, outgoing) => {
      const { url, headers } = incoming;
      if ((asked += 1) < 3) {
        outgoing.writeHead(429, { 'retry-after': '1' });
        outgoing.end('{"error":{"code":"RATE_LIMITED","message":"slowly","details":{}}}');
      } else request(`${api.base}${url}`, { headers }, (answer) => answer.pipe(outgoing)).end();
    });
    await new Promise<void>((listening) => strict.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`;
    const began = Date.now();
    works(await createKw({ KW_URL: url, KW_API_KEY: key })('ls'));
    assert.deepEqual([asked, Date.now() - began > 2_000], [3, true]);
    strict.closeAllConnections();
    strict.close();
  });
});
