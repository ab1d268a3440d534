import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { openUrl, OutgoingError, postJson } from '../../runtime/outgoing/index.js';
import { eventually } from '../support/eventually.js';
import { failsWith, useOutgoingSite } from '../support/network/outgoing-site.js';
import { reservePort } from '../support/servers/ports.js';

describe('an outgoing request', () => {
  const site = useOutgoingSite();
  const mebibyte = Buffer.alloc(1024 * 1024);

  it('returns the document, its type, its name and its final URL', async () => {
    site.answer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end('<p>Hello');
    });
    const opened = await openUrl(`${site.base}/a/report%20one.html?x=1#part`, {
      policy: site.allow(),
      maxBytes: 100,
      timeoutMs: 60_000,
    });
    assert.equal(opened.mediaType, 'text/html; charset=utf-8');
    assert.equal(opened.fileName, 'report one.html');
    assert.equal(opened.finalUrl, `${site.base}/a/report%20one.html?x=1#part`);
    assert.equal(await text(opened.stream), '<p>Hello');
    assert.deepEqual(site.requests, ['GET /a/report%20one.html?x=1']);
  });

  it('gets the name from Content-Disposition, and never a path', async () => {
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
      site.answer((_request, response) =>
        response.writeHead(200, { 'content-disposition': disposition }).end(),
      );
      const opened = await openUrl(`${site.base}/`, {
        policy: site.allow(),
        maxBytes: 100,
        timeoutMs: 60_000,
      });
      assert.equal(opened.fileName, name);
      opened.stream.destroy();
      await once(opened.stream, 'close');
    }
  });

  describe('whose response is too large', () => {
    it('fails before the body if the length is declared', async () => {
      site.answer((_request, response) =>
        response.writeHead(200, { 'content-length': 1_000_001 }).flushHeaders(),
      );
      await assert.rejects(
        openUrl(site.base, { policy: site.allow(), maxBytes: 1_000_000, timeoutMs: 60_000 }),
        failsWith('TOO_LARGE'),
      );
    });

    it('fails at the first byte too many', async () => {
      site.answer((_request, response) => {
        response.write(Buffer.alloc(1_000_000));
        response.end();
      });
      assert.equal((await site.read(site.base)).length, 1_000_000);
      site.answer((_request, response) => {
        response.write(Buffer.alloc(1_000_001));
        response.end();
      });
      await assert.rejects(site.read(site.base), failsWith('TOO_LARGE'));
    });

    it('fails if it is endless', async () => {
      site.answer((_request, response) => {
        const more = (): void => {
          if (response.write(mebibyte)) setImmediate(more);
        };
        response.on('drain', more);
        more();
      });
      await assert.rejects(site.read(site.base), failsWith('TOO_LARGE'));
    });

    it('fails if a small body decodes to a large one', async () => {
      site.answer((_request, response) => {
        response.setHeader('content-encoding', 'gzip');
        const zip = createGzip({ level: constants.Z_BEST_COMPRESSION });
        zip.pipe(response);
        const more = (): void => {
          if (!response.destroyed) zip.write(mebibyte, () => setImmediate(more));
        };
        more();
      });
      await assert.rejects(site.read(site.base), failsWith('TOO_LARGE'));
      await assert.rejects(
        postJson(site.base, '{}', { policy: site.allow(), timeoutMs: 60_000, maxResponseBytes: 1_000_000 }),
        failsWith('TOO_LARGE'),
      );
    });
  });

  it('requests no encoding, but decodes one if it is used', async () => {
    site.answer((request, response) => {
      assert.equal(request.headers['accept-encoding'], 'identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
    });
    assert.equal(await site.read(site.base), 'unpacked');
  });

  it('reads what is sent without an encoding, whatever the server calls that', async () => {
    for (const none of ['identity', 'None', 'utf-8']) {
      site.answer((_request, response) => response.writeHead(200, { 'content-encoding': none }).end('plain'));
      assert.equal(await site.read(site.base), 'plain');
    }
  });

  it('fails if the response cannot be decoded', async () => {
    site.answer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    );
    await assert.rejects(site.read(site.base), failsWith('BAD_RESPONSE'));
    site.answer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('cut off').subarray(0, 20)),
    );
    await assert.rejects(site.read(site.base), failsWith('BAD_RESPONSE'));
    site.answer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, <gzip>' }).end(gzipSync(gzipSync('x'))),
    );
    await assert.rejects(
      site.read(site.base),
      failsWith('BAD_RESPONSE', /responded in the encoding "gzip, gzip", which was not requested/),
    );
  });

  it('reads headers of up to 128 KiB', async () => {
    const withHeaders = (bytes: number): void =>
      site.answer((_request, response) => response.setHeader('x-long', 'x'.repeat(bytes)).end('read'));
    withHeaders(127 * 1024);
    assert.equal(await site.read(site.base), 'read');
    withHeaders(128 * 1024);
    await assert.rejects(site.read(site.base), failsWith('BAD_RESPONSE', /more than 128 KiB of headers/));
  });

  it('fails on a status without a whole document, and reports it', async () => {
    for (const status of [204, 205, 206, 304, 400, 404, 500, 503]) {
      site.answer((_request, response) => response.writeHead(status).end('details'));
      await assert.rejects(
        site.read(site.base),
        (error) => failsWith('HTTP_STATUS')(error) && (error as OutgoingError).status === status,
      );
    }
  });

  it('times out, whatever the server is slow with', async () => {
    const silent: RequestListener = () => undefined;
    const silentAfterHead: RequestListener = (_request, response) => response.flushHeaders();
    const dripping: RequestListener = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    };
    for (const handler of [silent, silentAfterHead, dripping]) {
      site.answer(handler);
      await assert.rejects(
        site.read(site.base, { timeoutMs: 60 }),
        failsWith('TIMED_OUT', /within 60 ms\.$/),
      );
      await assert.rejects(
        postJson(site.base, '{}', { policy: site.allow(), timeoutMs: 100.0005, maxResponseBytes: 10_000 }),
        failsWith('TIMED_OUT', /within 0\.1 s\.$/),
      );
    }
  });

  it('times out without harm if the response is not read', async () => {
    site.answer((_request, response) => void response.write('x'));
    // A busy machine needs more time for the head alone.
    const open = (timeoutMs: number): ReturnType<typeof openUrl> =>
      openUrl(site.base, { policy: site.allow(), maxBytes: 100, timeoutMs }).catch(() => open(2 * timeoutMs));
    const opened = await open(50);
    await assert.rejects(once(opened.stream, 'close'), failsWith('TIMED_OUT'));
    await assert.rejects(text(opened.stream), failsWith('TIMED_OUT'));
  });

  it('stops when it is aborted, at every stage', async () => {
    const reason = new Error('enough');
    const aborting = new AbortController();
    site.answer(() => aborting.abort(reason));
    await assert.rejects(site.read(site.base, { signal: aborting.signal }), reason);
    await assert.rejects(site.read(site.base, { signal: aborting.signal }), reason);
    const later = new AbortController();
    site.answer((_request, response) => {
      response.write('x', () => later.abort(reason));
    });
    await assert.rejects(site.read(site.base, { signal: later.signal }), reason);
    const posting = new AbortController();
    site.answer(() => posting.abort(reason));
    const options = {
      policy: site.allow(),
      timeoutMs: 60_000,
      maxResponseBytes: 100,
      signal: posting.signal,
    };
    await assert.rejects(postJson(site.base, '{}', options), reason);
  });

  it('closes the connection if the reader stops early', async () => {
    const closed = new Promise((resolve) => {
      site.answer((_request, response) => {
        response.on('close', resolve);
        response.write('x');
      });
    });
    const opened = await openUrl(site.base, { policy: site.allow(), maxBytes: 100, timeoutMs: 60_000 });
    opened.stream.destroy();
    await closed;
  });

  it('fails if the response ends early or is not HTTP', async () => {
    site.answer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('part', () => response.destroy());
    });
    await assert.rejects(site.read(site.base), failsWith('BAD_RESPONSE'));
    const length = 'Content-Length: 5\r\n';
    for (const head of [
      'HELLO\r\n\r\n',
      `HTTP/1.1 200 OK\r\n${length}Content-Length: 6\r\n\r\n`,
      `HTTP/1.1 200 OK\r\n${length}Transfer-Encoding: chunked\r\n\r\n`,
      'HTTP/1.1 100 Continue\r\n\r\n',
      `HTTP/1.1 099 Too Low\r\n${length}\r\nhello`,
    ]) {
      site.answer((request) => void request.socket.end(head));
      await assert.rejects(site.read(site.base), failsWith('BAD_RESPONSE', /respond with valid HTTP/));
    }
    for (const close of ['end', 'destroy', 'resetAndDestroy'] as const) {
      site.answer((request) => void request.socket[close]());
      await assert.rejects(
        site.read(site.base),
        failsWith('BAD_RESPONSE', /closed the connection without a response/),
      );
    }
  });

  it('fails if nothing listens at the address', async () => {
    const closed = await reservePort();
    const policy = { allow: ['127.0.0.1', 'localhost'] };
    await assert.rejects(site.read(`http://127.0.0.1:${closed}/`, { policy }), failsWith('CONNECT_FAILED'));
    await assert.rejects(site.read(`http://localhost:${closed}/`, { policy }), failsWith('CONNECT_FAILED'));
    await assert.rejects(
      site.read(`https://127.0.0.1:${site.port}/`, { policy }),
      (error) => error instanceof OutgoingError,
    );
  });

  it('posts JSON and returns any response', async () => {
    site.answer((request, response) => {
      const { 'content-type': type, 'x-signature': signature } = request.headers;
      void text(request).then((body) => {
        response.writeHead(body === '{"a":"ü"}' ? Number(request.url?.slice(1)) : 422, {
          'X-Type': `${String(type)} ${String(signature)}`,
          location: '/200',
        });
        response.end('got it');
      });
    });
    const options = {
      policy: site.allow(),
      headers: { 'x-signature': 's' },
      timeoutMs: 60_000,
      maxResponseBytes: 100,
    };
    for (const status of [200, 202, 302, 307, 404, 500]) {
      for (const body of ['{"a":"ü"}', Buffer.from('{"a":"ü"}')]) {
        const answered = await postJson(`${site.base}/${status}`, body, options);
        assert.equal(answered.status, status);
        assert.equal(answered.headers['x-type'], 'application/json s');
        assert.equal(answered.body.toString(), status === 200 ? 'got it' : '');
      }
    }
    assert.equal(site.requests.length, 12);
  });

  describe('ignores bodies that it does not need', () => {
    const bodies: Record<string, RequestListener> = {
      endless: (_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(mebibyte));
        };
        response.on('drain', more);
        more();
      },
      unfinished: (_request, response) => void response.write('part'),
      'cut off': (_request, response) => void response.write('part', () => response.destroy()),
      'wrongly compressed': (_request, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end('not gzip');
      },
      'in an unknown encoding': (_request, response) => {
        response.setHeader('content-encoding', 'zstd');
        response.end('x');
      },
    };
    for (const [name, send] of Object.entries(bodies)) {
      it(name, async () => {
        for (const [status, maxResponseBytes] of [
          [202, 100],
          [400, 100],
          [503, 100],
          [200, undefined],
        ] as const) {
          let closed = false;
          site.answer((request, response) => {
            request.socket.on('close', () => (closed = true));
            response.statusCode = status;
            response.setHeader('retry-after', '7');
            send(request, response);
          });
          const options = { policy: site.allow(), timeoutMs: 60_000, maxResponseBytes };
          const answered = await postJson(site.base, '{}', options);
          assert.deepEqual([answered.status, answered.headers['retry-after']], [status, '7']);
          assert.equal(answered.body.length, 0);
          await eventually(() => closed);
        }
      });
    }

    it('and lets the server finish a short one', async () => {
      const finished = new Promise<boolean>((resolve) => {
        site.answer((_request, response) => {
          response.writeHead(202, { 'content-length': 2 }).flushHeaders();
          response.on('close', () => resolve(response.writableFinished));
          setTimeout(() => response.end('ok'), 50);
        });
      });
      await postJson(site.base, '{}', { policy: site.allow(), timeoutMs: 60_000, maxResponseBytes: 100 });
      assert.equal(await finished, true);
    });
  });

  it('connects to ports that browsers block', async function () {
    const irc = createServer((_request, response) => response.end('in')).listen(6667, '127.0.0.1');
    try {
      await once(irc, 'listening');
    } catch {
      this.skip();
    }
    const policy = { allow: ['127.0.0.1'] };
    const answered = await postJson('http://127.0.0.1:6667/', '{}', {
      policy,
      timeoutMs: 60_000,
      maxResponseBytes: 100,
    });
    assert.equal(answered.body.toString(), 'in');
    irc.close();
  });

  it('ignores the proxy settings of the environment', async () => {
    const before = process.env;
    process.env = { ...before, http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' };
    try {
      site.answer((_request, response) => response.end('direct'));
      assert.equal(await site.read(site.base), 'direct');
    } finally {
      process.env = before;
    }
  });
});
