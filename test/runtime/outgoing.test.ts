import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { text } from 'node:stream/consumers';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { ServiceError, type ErrorCode } from '../../core/errors.js';
import {
  checkUrl,
  openUrl,
  OutgoingError,
  postJson,
  type OutgoingErrorCode,
} from '../../runtime/outgoing/index.js';
import { forbiddenHosts } from '../support/forbidden-hosts.js';

function isRefused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

function failsWith(code: OutgoingErrorCode): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof OutgoingError, String(error));
    assert.equal(error.code, code);
    assert.doesNotMatch(error.message, /undefined|\[object/);
    return true;
  };
}

const nobody = { allow: [] };

describe('outgoing requests', () => {
  describe('a URL that is registered', () => {
    for (const [kind, ...hosts] of forbiddenHosts) {
      it(`may not lead to an address that is special: ${kind}`, () => {
        for (const host of hosts) {
          for (const url of [`http://${host}/`, `https://${host}:8443/x`, `HTTP://${host}?q`]) {
            assert.throws(() => checkUrl(url, nobody), isRefused('URL_NOT_ALLOWED'), url);
          }
        }
      });
    }

    it('may lead to the public internet', () => {
      for (const url of [
        'http://example.com',
        'https://example.com:8443/a?b#c',
        'http://8.8.8.8/',
        'http://172.32.0.1',
        'http://[2606:4700::1111]/',
        'http://[::ffff:8.8.8.8]/',
        'http://[64:ff9b::8.8.8.8]/',
        'http://localhost.example.com',
        'http://notlocalhost/',
        'http://bücher.example/',
      ]) {
        assert.equal(checkUrl(url, nobody).href, new URL(url).href);
      }
    });

    it('has the scheme http or https', () => {
      for (const url of [
        'file:///etc/passwd',
        'ftp://example.com/',
        'gopher://example.com/',
        'data:text/plain,x',
        'javascript:alert(1)',
        'ws://example.com',
        'blob:http://example.com/x',
      ]) {
        assert.throws(() => checkUrl(url, { allow: ['example.com'] }), isRefused('URL_NOT_ALLOWED'), url);
      }
    });

    it('has no user name and no password', () => {
      for (const url of [
        'http://user@example.com/',
        'http://user:password@example.com/',
        'http://:password@example.com/',
        'http://example.com@127.0.0.1/',
      ]) {
        assert.throws(() => checkUrl(url, { allow: ['example.com'] }), isRefused('URL_NOT_ALLOWED'), url);
      }
    });

    it('is a URL', () => {
      for (const url of [
        '',
        'example.com',
        '/path',
        'http://',
        'http://256.1.1.1/',
        'http://[::1',
        'http://[fe80::1%25eth0]/',
        'http://exa mple.com/',
      ]) {
        assert.throws(
          () => checkUrl(url, nobody, '/source/uri'),
          (error) => {
            assert.ok(error instanceof ServiceError);
            assert.equal(error.code, 'VALIDATION_FAILED');
            assert.deepEqual(error.details, {
              errors: [{ path: '/source/uri', message: 'must be an absolute URL' }],
            });
            return true;
          },
        );
      }
    });

    it('may lead to hosts that are allowed, as they stand in it', () => {
      const allowed: [entry: string, url: string, yes: boolean][] = [
        ['localhost', 'http://localhost:1234/', true],
        ['LocalHost', 'http://LOCALHOST/', true],
        ['localhost:80', 'http://localhost/', true],
        ['localhost:80', 'https://localhost/', false],
        ['localhost:443', 'https://localhost/', true],
        ['localhost:8080', 'http://localhost:8080/x', true],
        ['localhost:8080', 'http://localhost:8081/x', false],
        ['localhost', 'http://a.localhost/', false],
        ['localhost', 'http://127.0.0.1/', false],
        ['10.0.0.5', 'http://10.0.0.5:99/', true],
        ['10.0.0.5', 'http://10.0.0.50/', false],
        ['[::1]', 'http://[0:0::1]:5/', true],
        ['[::1]:5', 'http://[::1]:5/', true],
        ['[::1]:5', 'http://[::1]:6/', false],
        ['::1', 'http://[::1]/', false],
        ['', 'http://localhost/', false],
        ['*', 'http://localhost/', false],
      ];
      for (const [entry, url, yes] of allowed) {
        const check = (): URL => checkUrl(url, { allow: ['other', entry] });
        if (yes) check();
        else assert.throws(check, isRefused('URL_NOT_ALLOWED'), `${entry} must not allow ${url}`);
      }
    });
  });

  describe('a request', () => {
    type Handler = (request: IncomingMessage, response: ServerResponse) => void;
    let server: Server;
    let base: string;
    let port: number;
    let handle: Handler;
    let requests: string[];
    const answer = (handler: Handler): void => void (handle = handler);
    const allow = (): { allow: string[] } => ({ allow: [`127.0.0.1:${port}`] });
    const read = async (
      url: string,
      options: Partial<Parameters<typeof openUrl>[1]> = {},
    ): Promise<string> => {
      const opened = await openUrl(url, {
        policy: allow(),
        maxBytes: 1_000_000,
        timeoutMs: 5_000,
        ...options,
      });
      return text(opened.stream);
    };

    before(async () => {
      server = createServer((request, response) => {
        requests.push(`${request.method} ${request.url}`);
        handle(request, response);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
      base = `http://127.0.0.1:${port}`;
    });
    beforeEach(() => (requests = []));
    afterEach(async () => {
      server.closeAllConnections();
      // Every request has a connection of its own that ends with it.
      const connections = await new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      });
      assert.equal(connections, 0);
    });
    after(() => void server.close());

    it('brings the document, its type, its name and where it was', async () => {
      answer((_request, response) => {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end('<p>Hello');
      });
      const opened = await openUrl(`${base}/a/report%20one.html?x=1#part`, {
        policy: allow(),
        maxBytes: 100,
        timeoutMs: 5_000,
      });
      assert.equal(opened.mediaType, 'text/html; charset=utf-8');
      assert.equal(opened.fileName, 'report one.html');
      assert.equal(opened.finalUrl, `${base}/a/report%20one.html?x=1#part`);
      assert.equal(await text(opened.stream), '<p>Hello');
      assert.deepEqual(requests, ['GET /a/report%20one.html?x=1']);
    });

    it('finds the name in Content-Disposition, and never a path', async () => {
      const names: [string, string | undefined][] = [
        ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
        ['attachment; filename=plain.csv', 'plain.csv'],
        [`attachment; filename="x.pdf"; filename*=UTF-8''%E2%82%AC%20rates.pdf`, '€ rates.pdf'],
        ['attachment; filename="../../etc/passwd"', 'passwd'],
        ['attachment; filename="C:\\\\a\\\\b.txt"', 'b.txt'],
        [`attachment; filename*=UTF-8''a%2Fb%00.pdf`, 'b.pdf'],
        ['inline', undefined],
      ];
      for (const [disposition, name] of names) {
        answer((_request, response) => response.writeHead(200, { 'content-disposition': disposition }).end());
        const opened = await openUrl(`${base}/`, { policy: allow(), maxBytes: 100, timeoutMs: 5_000 });
        assert.equal(opened.fileName, name);
        opened.stream.destroy();
        await once(opened.stream, 'close');
      }
    });

    it('is not sent to an address that is not allowed', async () => {
      await assert.rejects(read(base, { policy: nobody }), isRefused('URL_NOT_ALLOWED'));
      await assert.rejects(
        read(base, { policy: { allow: [`127.0.0.1:${port + 1}`] } }),
        isRefused('URL_NOT_ALLOWED'),
      );
      await assert.rejects(
        postJson(base, '{}', { policy: nobody, timeoutMs: 5_000, maxResponseBytes: 100 }),
        isRefused('URL_NOT_ALLOWED'),
      );
      assert.deepEqual(requests, []);
    });

    describe('to a name', () => {
      const resolving = (...answers: string[][]): (() => Promise<LookupAddress[]>) => {
        let asked = 0;
        return () =>
          Promise.resolve(
            (answers[asked++] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          );
      };

      it('is refused when the name leads to a special address, or one of several does', async () => {
        for (const addresses of [
          ['127.0.0.1'],
          ['93.184.216.34', '127.0.0.1'],
          ['::1'],
          ['169.254.169.254'],
          ['fe80::1%lo'],
          ['::ffff:127.0.0.1'],
          ['what?'],
        ]) {
          const policy = { allow: [], resolve: resolving(addresses) };
          await assert.rejects(
            read(`http://rebind.example:${port}/`, { policy }),
            isRefused('URL_NOT_ALLOWED'),
          );
          const post = postJson(`http://rebind.example:${port}/`, '{}', {
            policy: { allow: [], resolve: resolving(addresses) },
            timeoutMs: 5_000,
            maxResponseBytes: 100,
          });
          await assert.rejects(post, isRefused('URL_NOT_ALLOWED'));
        }
        assert.deepEqual(requests, []);
      });

      it('connects to the addresses that were checked, resolved once', async () => {
        let asked = 0;
        const resolve = (): Promise<LookupAddress[]> => {
          asked++;
          return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
        };
        answer((_request, response) => response.end('in'));
        const policy = { allow: ['inside.example'], resolve };
        assert.equal(await read(`http://inside.example:${port}/`, { policy }), 'in');
        assert.equal(asked, 1);
      });

      it('is refused when a redirect leads to a name with a special address', async () => {
        answer((_request, response) =>
          response.writeHead(302, { location: `http://other.example:${port}/secret` }).end(),
        );
        const policy = { allow: ['inside.example'], resolve: resolving(['127.0.0.1'], ['127.0.0.1']) };
        await assert.rejects(
          read(`http://inside.example:${port}/`, { policy }),
          isRefused('URL_NOT_ALLOWED'),
        );
        assert.deepEqual(requests, ['GET /']);
      });

      it('fails when the name does not resolve', async () => {
        const unknown = (): Promise<never> =>
          Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
        for (const resolve of [unknown, resolving([])]) {
          await assert.rejects(
            read('http://nowhere.example/', { policy: { allow: [], resolve } }),
            failsWith('CONNECT_FAILED'),
          );
        }
      });

      it('ends in time while the name is being resolved', async () => {
        const resolve = (): Promise<never> => new Promise(() => undefined);
        const policy = { allow: [], resolve };
        await assert.rejects(read('http://slow.example/', { policy, timeoutMs: 30 }), failsWith('TIMED_OUT'));
      });
    });

    describe('that is redirected', () => {
      for (const status of [301, 302, 303, 307, 308]) {
        it(`follows ${status}`, async () => {
          answer((request, response) => {
            if (request.url === '/to') response.end('there');
            else response.writeHead(status, { location: 'to' }).end('moved');
          });
          const opened = await openUrl(`${base}/from`, { policy: allow(), maxBytes: 100, timeoutMs: 5_000 });
          assert.equal(opened.finalUrl, `${base}/to`);
          assert.equal(await text(opened.stream), 'there');
        });
      }

      it('is refused where a redirect leads to what is not allowed', async () => {
        for (const location of [
          'http://169.254.169.254/latest/',
          'http://localhost/',
          '//[::1]/',
          'http://0x7f.1/',
          'file:///etc/passwd',
          'http://user:pw@example.com/',
        ]) {
          answer((_request, response) => response.writeHead(302, { location }).end());
          await assert.rejects(read(base), isRefused('URL_NOT_ALLOWED'), location);
        }
      });

      it('gives up after five redirects', async () => {
        answer((request, response) => {
          const n = Number(request.url?.slice(1));
          if (n === 5) response.end('arrived');
          else response.writeHead(302, { location: `/${n + 1}` }).end();
        });
        assert.equal(await read(`${base}/0`), 'arrived');
        answer((_request, response) => response.writeHead(302, { location: '/loop' }).end());
        requests = [];
        await assert.rejects(read(`${base}/loop`), failsWith('TOO_MANY_REDIRECTS'));
        assert.equal(requests.length, 6);
      });

      it('takes its secrets to no other server', async () => {
        const seen: unknown[] = [];
        answer((request, response) => {
          seen.push(request.headers.authorization ?? null, request.headers['x-plain']);
          if (seen.length > 4) response.end();
          else
            response
              .writeHead(302, { location: seen.length === 2 ? '/same' : `http://other.example:${port}/` })
              .end();
        });
        const policy = {
          allow: [`127.0.0.1:${port}`, 'other.example'],
          resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
        };
        await read(base, { policy, headers: { Authorization: 'Bearer x', 'x-plain': 'y' } });
        assert.deepEqual(seen, ['Bearer x', 'y', 'Bearer x', 'y', null, 'y']);
      });

      it('fails at a redirect to nowhere', async () => {
        answer((_request, response) => response.writeHead(302, { location: 'http://[' }).end());
        await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
        answer((_request, response) => response.writeHead(302).end());
        await assert.rejects(read(base), failsWith('HTTP_STATUS'));
      });
    });

    describe('whose answer is too large', () => {
      const mebibyte = Buffer.alloc(1024 * 1024);

      it('fails before the body when the length is said', async () => {
        answer((_request, response) =>
          response.writeHead(200, { 'content-length': 1_000_001 }).flushHeaders(),
        );
        await assert.rejects(
          openUrl(base, { policy: allow(), maxBytes: 1_000_000, timeoutMs: 5_000 }),
          failsWith('TOO_LARGE'),
        );
      });

      it('fails at the first byte too many', async () => {
        answer((_request, response) => {
          response.write(Buffer.alloc(1_000_000));
          response.end();
        });
        assert.equal((await read(base)).length, 1_000_000);
        answer((_request, response) => {
          response.write(Buffer.alloc(1_000_001));
          response.end();
        });
        await assert.rejects(read(base), failsWith('TOO_LARGE'));
      });

      it('fails when it has no end', async () => {
        answer((_request, response) => {
          const more = (): void => {
            if (response.write(mebibyte)) setImmediate(more);
          };
          response.on('drain', more);
          more();
        });
        await assert.rejects(read(base), failsWith('TOO_LARGE'));
      });

      it('fails when little decodes to much', async () => {
        answer((_request, response) => {
          response.setHeader('content-encoding', 'gzip');
          const zip = createGzip({ level: constants.Z_BEST_COMPRESSION });
          zip.pipe(response);
          const more = (): void => {
            if (!response.destroyed) zip.write(mebibyte, () => setImmediate(more));
          };
          more();
        });
        await assert.rejects(read(base), failsWith('TOO_LARGE'));
        await assert.rejects(
          postJson(base, '{}', { policy: allow(), timeoutMs: 5_000, maxResponseBytes: 1_000_000 }),
          failsWith('TOO_LARGE'),
        );
      });
    });

    it('asks for no encoding, and understands one all the same', async () => {
      answer((request, response) => {
        assert.equal(request.headers['accept-encoding'], 'identity');
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
      });
      assert.equal(await read(base), 'unpacked');
    });

    it('fails when the answer cannot be decoded', async () => {
      answer((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'));
      await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
      answer((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('cut off').subarray(0, 20)),
      );
      await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
      answer((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('x'))),
      );
      await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
    });

    it('fails at a status that is no success, and says which', async () => {
      for (const status of [400, 404, 500, 503, 304]) {
        answer((_request, response) => response.writeHead(status).end('details'));
        await assert.rejects(
          read(base),
          (error) => failsWith('HTTP_STATUS')(error) && (error as OutgoingError).status === status,
        );
      }
    });

    it('ends in time, whatever the server is slow with', async () => {
      const silent: Handler = () => undefined;
      const silentAfterHead: Handler = (_request, response) => response.flushHeaders();
      const dripping: Handler = (_request, response) => {
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(drip));
      };
      for (const handler of [silent, silentAfterHead, dripping]) {
        answer(handler);
        await assert.rejects(read(base, { timeoutMs: 60 }), failsWith('TIMED_OUT'));
        await assert.rejects(
          postJson(base, '{}', { policy: allow(), timeoutMs: 60, maxResponseBytes: 10_000 }),
          failsWith('TIMED_OUT'),
        );
      }
    });

    it('ends in time when nobody reads, without harm', async () => {
      answer((_request, response) => void response.write('x'));
      const opened = await openUrl(base, { policy: allow(), maxBytes: 100, timeoutMs: 50 });
      await assert.rejects(once(opened.stream, 'close'), failsWith('TIMED_OUT'));
      await assert.rejects(text(opened.stream), failsWith('TIMED_OUT'));
    });

    it('stops when it is aborted, at every stage', async () => {
      const reason = new Error('enough');
      const aborting = new AbortController();
      answer(() => aborting.abort(reason));
      await assert.rejects(read(base, { signal: aborting.signal }), reason);
      await assert.rejects(read(base, { signal: aborting.signal }), reason);
      const later = new AbortController();
      answer((_request, response) => {
        response.write('x', () => later.abort(reason));
      });
      await assert.rejects(read(base, { signal: later.signal }), reason);
      const posting = new AbortController();
      answer(() => posting.abort(reason));
      const options = { policy: allow(), timeoutMs: 5_000, maxResponseBytes: 100, signal: posting.signal };
      await assert.rejects(postJson(base, '{}', options), reason);
    });

    it('closes the connection when the reader stops early', async () => {
      const closed = new Promise((resolve) => {
        answer((_request, response) => {
          response.on('close', resolve);
          response.write('x');
        });
      });
      const opened = await openUrl(base, { policy: allow(), maxBytes: 100, timeoutMs: 5_000 });
      opened.stream.destroy();
      await closed;
    });

    it('fails when the answer breaks off or is no HTTP', async () => {
      answer((_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('part', () => response.destroy());
      });
      await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
      answer((request) => void request.socket.end('HELLO\r\n\r\n'));
      await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
      answer((request) => void request.socket.destroy());
      await assert.rejects(read(base), failsWith('BAD_RESPONSE'));
    });

    it('fails when nobody listens', async () => {
      const free = createTcpServer().listen(0, '127.0.0.1');
      await once(free, 'listening');
      const { port: closed } = free.address() as AddressInfo;
      free.close();
      await once(free, 'close');
      const policy = { allow: ['127.0.0.1', 'localhost'] };
      await assert.rejects(read(`http://127.0.0.1:${closed}/`, { policy }), failsWith('CONNECT_FAILED'));
      await assert.rejects(read(`http://localhost:${closed}/`, { policy }), failsWith('CONNECT_FAILED'));
      await assert.rejects(
        read(`https://127.0.0.1:${port}/`, { policy }),
        (error) => error instanceof OutgoingError,
      );
    });

    it('posts JSON and brings any answer back', async () => {
      answer((request, response) => {
        const { 'content-type': type, 'x-signature': signature } = request.headers;
        response.writeHead(Number(request.url?.slice(1)), {
          'X-Type': `${String(type)} ${String(signature)}`,
          location: '/200',
        });
        void text(request).then((body) => response.end(body === '{"a":"ü"}' ? 'got it' : `not ${body}`));
      });
      const options = {
        policy: allow(),
        headers: { 'x-signature': 's' },
        timeoutMs: 5_000,
        maxResponseBytes: 100,
      };
      for (const status of [200, 202, 302, 307, 404, 500]) {
        for (const body of ['{"a":"ü"}', Buffer.from('{"a":"ü"}')]) {
          const answered = await postJson(`${base}/${status}`, body, options);
          assert.equal(answered.status, status);
          assert.equal(answered.headers['x-type'], 'application/json s');
          assert.equal(answered.body.toString(), 'got it');
        }
      }
      assert.equal(requests.length, 12);
    });

    it('goes to ports that browsers refuse', async function () {
      const irc = createServer((_request, response) => response.end('in')).listen(6667, '127.0.0.1');
      try {
        await once(irc, 'listening');
      } catch {
        this.skip();
      }
      const policy = { allow: ['127.0.0.1'] };
      const answered = await postJson('http://127.0.0.1:6667/', '{}', {
        policy,
        timeoutMs: 5_000,
        maxResponseBytes: 100,
      });
      assert.equal(answered.body.toString(), 'in');
      irc.close();
    });

    it('uses no proxy of the environment', async () => {
      const before = process.env;
      process.env = { ...before, http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' };
      try {
        answer((_request, response) => response.end('direct'));
        assert.equal(await read(base), 'direct');
      } finally {
        process.env = before;
      }
    });
  });
});
