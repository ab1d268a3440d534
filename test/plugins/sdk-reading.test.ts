import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createCoreClient, type CoreClient } from '../../packages/plugin/src/workers/core/core-client.js';
import { CoreError } from '../../packages/plugin/src/workers/core/core-error.js';
import { resumed } from '../../packages/plugin/src/workers/core/resumed.js';

const content = randomBytes(3 * 1024 * 1024);

/** A network that breaks a connection once `bytes` have gone through, and one that is away for a while. */
interface Network {
  readonly breaksAfter: number[];
  refusals: number;
  omitsLength: boolean;
  /** How many requests a proxy answers with a page of its own and the status 200. */
  pages: number;
}

describe('reading from Core over an unreliable network', () => {
  let server: Server;
  let client: CoreClient;
  const network: Network = { breaksAfter: [], refusals: 0, omitsLength: false, pages: 0 };

  before(async () => {
    client = createCoreClient();
    server = createServer((request, response) => {
      if (network.refusals-- > 0) {
        response.writeHead(503, { 'retry-after': '0' }).end();
        return;
      }
      if (network.pages-- > 0) {
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': 4 })
          .end('Wait');
        return;
      }
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const rest = content.subarray(from);
      response.writeHead(from > 0 ? 206 : 200, network.omitsLength ? {} : { 'content-length': rest.length });
      const limit = network.breaksAfter.shift();
      if (limit === undefined) response.end(rest);
      else response.write(rest.subarray(0, limit), () => request.socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    await client.close();
    server.close();
  });

  const read = async (
    signal = new AbortController().signal,
    size: number | null = content.length,
    mediaType = 'application/pdf',
  ): Promise<Buffer> => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/source`;
    const open = (from: number): ReturnType<CoreClient['open']> =>
      client.open({ method: 'GET', url, bearer: 'kwt_test', from, signal });
    return await buffer(await resumed({ url, mediaType, size }, open, signal, () => undefined));
  };

  it('resumes where a connection broke', async () => {
    network.breaksAfter.push(1, 1_000_000, 70_000);
    network.refusals = 2;
    assert((await read()).equals(content));
  });

  it('waits while a proxy answers with a page of its own', async () => {
    network.pages = 1;
    network.breaksAfter.push(1_000_000);
    assert((await read(undefined, null)).equals(content));

    network.pages = 1;
    assert((await read(undefined, undefined, 'text/html')).equals(content));
  });

  it('rejects a body of another size than expected', async () => {
    network.omitsLength = true;
    await assert.rejects(read(undefined, content.length + 1), /3145728 instead of 3145729 bytes/);
    network.omitsLength = false;
  });

  it('gives up when no more data arrives', async () => {
    network.breaksAfter.push(100_000, ...Array<number>(20).fill(0));
    await assert.rejects(read(), (error) => error instanceof CoreError && error.transient);
    network.breaksAfter.length = 0;
  });

  it('rejects with the reason of its signal', async () => {
    network.refusals = Infinity;
    const controller = new AbortController();
    const reading = read(controller.signal);
    controller.abort(new Error('time is up'));
    await assert.rejects(reading, /time is up/);
  });
});
