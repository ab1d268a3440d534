import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
import { createFetch, openUrl, postJson, type OutgoingPolicy } from '../../runtime/outgoing/index.js';
import { forbiddenHosts } from '../support/network/forbidden-hosts.js';

const isRefused = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'URL_NOT_ALLOWED';

/** Each way in which a request leaves for a URL that somebody named; what comes back is the body. */
const doors: Readonly<Record<string, (url: string, policy: OutgoingPolicy) => Promise<string>>> = {
  'the fetch of a URL source': async (url, policy) =>
    await text((await openUrl(url, { policy, maxBytes: 1_000, timeoutMs: 60_000 })).stream),
  'a delivery to a plugin’s endpoint': async (url, policy) => {
    const answer = await postJson(url, '{}', { policy, maxResponseBytes: 1_000, timeoutMs: 60_000 });
    return answer.status === 200 ? answer.body.toString() : 'moved';
  },
  'the fetch of a plugin': async (url, policy) => await (await createFetch(policy)(url)).text(),
};

/** Those that follow redirects at all. */
const follows = new Set(['the fetch of a URL source']);

/** What the hosts that are addresses come to: what a name could resolve to. */
const forbiddenAddresses = forbiddenHosts
  .flatMap(([, ...hosts]) => [...hosts])
  .map((host) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, ''))
  .filter((host) => /^[\d.]+$|:/.test(host));

describe('every request to a user-provided URL', () => {
  let server: Server;
  let port: number;
  let location: string;
  let requests: string[];

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      if (request.url === '/moved') response.writeHead(302, { location }).end('moved');
      else response.end('inside');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => (requests = []));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const resolving = (
    ...addresses: string[]
  ): { resolve: () => Promise<LookupAddress[]>; asked: () => number } => {
    let asked = 0;
    return {
      resolve: () => {
        asked += 1;
        return Promise.resolve(
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
      asked: () => asked,
    };
  };

  for (const [door, go] of Object.entries(doors)) {
    describe(door, () => {
      it('can reach what an operator allows', async () => {
        assert.equal(await go(`http://127.0.0.1:${port}/`, { allow: ['127.0.0.1'] }), 'inside');
      });

      it('cannot reach special addresses, however they are written', async () => {
        for (const [kind, ...hosts] of forbiddenHosts) {
          for (const host of hosts) {
            // The port of the server: a request that got through would be seen.
            await assert.rejects(go(`http://${host}:${port}/`, { allow: [] }), isRefused, `${kind}: ${host}`);
          }
        }
        assert.deepEqual(requests, []);
      });

      it('cannot reach names that resolve to one, or to a public and a special one', async () => {
        assert.ok(forbiddenAddresses.length > 60);
        const mixed = [forbiddenAddresses[0]!, '::1'].flatMap((special) => [
          ['93.184.216.34', special],
          [special, '2606:4700::1111'],
        ]);
        for (const answer of [...forbiddenAddresses.map((address) => [address]), ...mixed]) {
          const policy = { allow: ['other.example'], resolve: resolving(...answer).resolve };
          await assert.rejects(go(`http://name.example:${port}/`, policy), isRefused, answer.join());
        }
        assert.deepEqual(requests, []);
      });

      it('connects to the address that was checked: a name is resolved once', async () => {
        const names = resolving('127.0.0.1');
        const policy = { allow: ['name.example'], resolve: names.resolve };
        assert.equal(await go(`http://name.example:${port}/`, policy), 'inside');
        assert.equal(names.asked(), 1);
      });

      it('follows no redirect to one', async () => {
        const policy = { allow: ['start.example'], resolve: resolving('127.0.0.1').resolve };
        for (const [kind, ...hosts] of forbiddenHosts) {
          // Where no redirect is followed, it does not matter where it leads.
          for (const host of follows.has(door) ? hosts : hosts.slice(0, 1)) {
            location = `http://${host.replace(/\P{ASCII}/gu, encodeURIComponent)}:${port}/secret`;
            const answer = go(`http://start.example:${port}/moved`, policy);
            const outcome = await answer.catch((error: unknown) =>
              isRefused(error) ? 'refused' : String(error),
            );
            assert.equal(outcome, follows.has(door) ? 'refused' : 'moved', `${kind}: ${location}`);
          }
        }
        assert.deepEqual([...new Set(requests)], ['/moved']);
      });
    });
  }
});
