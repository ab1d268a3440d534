import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import { openUrl, postJson } from '../../runtime/outgoing/index.js';
import { failsWith, isRefused, allowNone, useOutgoingSite } from '../support/network/outgoing-site.js';

describe('the address of an outgoing request', () => {
  const site = useOutgoingSite();

  it('is not sent to an address that is not allowed', async () => {
    await assert.rejects(site.read(site.base, { policy: allowNone }), isRefused('URL_NOT_ALLOWED'));
    await assert.rejects(
      site.read(site.base, { policy: { allow: [`127.0.0.1:${site.port + 1}`] } }),
      isRefused('URL_NOT_ALLOWED'),
    );
    await assert.rejects(
      postJson(site.base, '{}', { policy: allowNone, timeoutMs: 60_000, maxResponseBytes: 100 }),
      isRefused('URL_NOT_ALLOWED'),
    );
    assert.deepEqual(site.requests, []);
  });

  describe('to a name', () => {
    const resolving = (...answers: string[][]): (() => Promise<LookupAddress[]>) => {
      let asked = 0;
      return () =>
        Promise.resolve(
          (answers[asked++] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
    };

    it('is rejected if an address of the name is special', async () => {
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
          site.read(`http://rebind.example:${site.port}/`, { policy }),
          isRefused('URL_NOT_ALLOWED'),
        );
        const post = postJson(`http://rebind.example:${site.port}/`, '{}', {
          policy: { allow: [], resolve: resolving(addresses) },
          timeoutMs: 60_000,
          maxResponseBytes: 100,
        });
        await assert.rejects(post, isRefused('URL_NOT_ALLOWED'));
      }
      assert.deepEqual(site.requests, []);
    });

    it('uses the addresses that were checked, resolved once', async () => {
      let asked = 0;
      const resolve = (): Promise<LookupAddress[]> => {
        asked++;
        return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      };
      site.answer((_request, response) => response.end('in'));
      const policy = { allow: ['inside.example'], resolve };
      assert.equal(await site.read(`http://inside.example:${site.port}/`, { policy }), 'in');
      assert.equal(asked, 1);
    });

    it('is rejected if a redirect leads to a name with a special address', async () => {
      site.answer((_request, response) =>
        response.writeHead(302, { location: `http://other.example:${site.port}/secret` }).end(),
      );
      const policy = { allow: ['inside.example'], resolve: resolving(['127.0.0.1'], ['127.0.0.1']) };
      await assert.rejects(
        site.read(`http://inside.example:${site.port}/`, { policy }),
        isRefused('URL_NOT_ALLOWED'),
      );
      assert.deepEqual(site.requests, ['GET /']);
    });

    it('fails when the name does not resolve', async () => {
      const unknown = (): Promise<never> =>
        Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
      for (const resolve of [unknown, resolving([])]) {
        await assert.rejects(
          site.read('http://nowhere.example/', { policy: { allow: [], resolve } }),
          failsWith('CONNECT_FAILED'),
        );
      }
    });

    it('connects also if resolving the name took longer than connecting may take', async () => {
      const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as {
        tick(ms: number): void;
      };
      const resolve = async (): Promise<LookupAddress[]> => {
        // undici starts its timer after it asked for the addresses.
        await new Promise(setImmediate);
        timers.tick(1_000);
        timers.tick(60_000);
        // undici gives up connecting a moment after its timer.
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        return [{ address: '127.0.0.1', family: 4 }];
      };
      site.answer((_request, response) => response.end('in'));
      const policy = { allow: ['slow.example'], resolve };
      assert.equal(await site.read(`http://slow.example:${site.port}/`, { policy }), 'in');
    });

    it('times out while the name is being resolved, and says so to the resolver', async () => {
      let given: AbortSignal | undefined;
      const resolve = (_hostname: string, signal?: AbortSignal): Promise<never> => {
        given = signal;
        return new Promise(() => undefined);
      };
      const policy = { allow: [], resolve };
      await assert.rejects(
        site.read('http://slow.example/', { policy, timeoutMs: 30 }),
        failsWith('TIMED_OUT'),
      );
      assert.equal(given?.aborted, true);
    });

    it('waits for the turn of its look-up without using up its time, and gives it up with the request', async () => {
      const lookedUp: string[] = [];
      const resolve = (hostname: string): Promise<LookupAddress[]> => {
        lookedUp.push(hostname);
        return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      };
      site.answer((_request, response) => response.end('in'));
      mock.timers.enable({ apis: ['setTimeout'] });
      const takeTurn = <T>(lookup: () => Promise<T>): Promise<T> => {
        mock.timers.tick(3_600_000);
        mock.timers.reset();
        return lookup();
      };
      const policy = { allow: ['patient.example'], resolve, takeTurn };
      assert.equal(await site.read(`http://patient.example:${site.port}/`, { policy }), 'in');

      const ending = new AbortController();
      let whenTurnComes: () => Promise<unknown> = () => assert.fail('it waits for no turn');
      const waits = <T>(lookup: () => Promise<T>): Promise<T> => {
        whenTurnComes = lookup;
        setImmediate(() => ending.abort(new Error('cancelled')));
        return new Promise(() => undefined);
      };
      const options = { policy: { ...policy, takeTurn: waits }, signal: ending.signal };
      await assert.rejects(site.read('http://cancelled.example/', options), /^Error: cancelled$/);
      await assert.rejects(whenTurnComes(), /^Error: cancelled$/);
      assert.deepEqual(lookedUp, ['patient.example']);
    });
  });

  describe('that is redirected', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`follows ${status}`, async () => {
        site.answer((request, response) => {
          if (request.url === '/to') response.end('there');
          else response.writeHead(status, { location: 'to' }).end('moved');
        });
        const opened = await openUrl(`${site.base}/from`, {
          policy: site.allow(),
          maxBytes: 100,
          timeoutMs: 60_000,
        });
        assert.equal(opened.finalUrl, `${site.base}/to`);
        assert.equal(await text(opened.stream), 'there');
      });
    }

    it('follows a target that is not ASCII, in UTF-8 or Latin-1', async () => {
      for (const target of [Buffer.from('/über'), Buffer.from('/über', 'latin1')]) {
        site.answer((request, response) => {
          if (request.url === '/%C3%BCber') response.end('there');
          else response.writeHead(302, { location: target.toString('latin1') }).end();
        });
        assert.equal(await site.read(`${site.base}/from`), 'there');
      }
    });

    it('is rejected if a redirect leads to a forbidden address', async () => {
      for (const location of [
        'http://169.254.169.254/latest/',
        'http://localhost/',
        '//[::1]/',
        'http://0x7f.1/',
        'file:///etc/passwd',
        'http://user:pw@example.com/',
      ]) {
        site.answer((_request, response) => response.writeHead(302, { location }).end());
        await assert.rejects(site.read(site.base), isRefused('URL_NOT_ALLOWED'), location);
      }
    });

    it('gives up after five redirects', async () => {
      site.answer((request, response) => {
        const n = Number(request.url?.slice(1));
        if (n === 5) response.end('arrived');
        else response.writeHead(302, { location: `/${n + 1}` }).end();
      });
      assert.equal(await site.read(`${site.base}/0`), 'arrived');
      site.answer((_request, response) => response.writeHead(302, { location: '/loop' }).end());
      site.requests.length = 0;
      await assert.rejects(site.read(`${site.base}/loop`), failsWith('TOO_MANY_REDIRECTS'));
      assert.equal(site.requests.length, 6);
    });

    it('sends its secrets to no other server', async () => {
      const seen: unknown[] = [];
      site.answer((request, response) => {
        seen.push(request.headers.authorization ?? null, request.headers['x-plain']);
        if (seen.length > 4) response.end();
        else
          response
            .writeHead(302, { location: seen.length === 2 ? '/same' : `http://other.example:${site.port}/` })
            .end();
      });
      const policy = {
        allow: [`127.0.0.1:${site.port}`, 'other.example'],
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      };
      await site.read(site.base, { policy, headers: { Authorization: 'Bearer x', 'x-plain': 'y' } });
      assert.deepEqual(seen, ['Bearer x', 'y', 'Bearer x', 'y', null, 'y']);
    });

    it('fails at a redirect without a target', async () => {
      site.answer((_request, response) => response.writeHead(302, { location: 'http://[' }).end());
      await assert.rejects(site.read(site.base), failsWith('BAD_RESPONSE'));
      site.answer((_request, response) => response.writeHead(302).end());
      await assert.rejects(site.read(site.base), failsWith('HTTP_STATUS'));
    });
  });
});
