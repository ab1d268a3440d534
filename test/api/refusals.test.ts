import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { buildDocument } from '../../api/openapi/document.js';
import { fullPath } from '../../api/route.js';
import { routes } from '../../api/routes/index.js';
import { closeServer, createHttpServer, listen } from '../../api/server/http-server.js';
import { createContract } from '../support/service/contract.js';
import { exchange } from '../support/network/raw-http.js';

const host = 'Host: x\r\n';

/** What is asked of a method and a path, and the status that it gets whatever they are. */
const refused: readonly (readonly [of: string, status: number, write: (line: string) => string])[] = [
  ['no host', 400, (line) => `${line} HTTP/1.1\r\n\r\n`],
  ['a head that is no HTTP', 400, (line) => `${line} HTTP/1.1\r\n${host}no field\r\n\r\n`],
  ['a body that does not come', 408, (line) => `${line} HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\n`],
  ['a long URL', 414, (line) => `${line}?${'x'.repeat(15_000)} HTTP/1.1\r\n${host}\r\n`],
  ['an expectation', 417, (line) => `${line} HTTP/1.1\r\n${host}Expect: cake\r\n\r\n`],
  ['many headers', 431, (line) => `${line} HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(100)}\r\n`],
  ['a long header', 431, (line) => `${line} HTTP/1.1\r\n${host}X: ${'y'.repeat(17_000)}\r\n\r\n`],
];

describe('responses sent before the application is reached', () => {
  // The application that waits for a body does not answer.
  const server = createHttpServer(() => undefined, { windowMs: 50, leastBytes: 1_000 });
  let base: string;

  before(async () => {
    await listen(server, '127.0.0.1', 0);
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => closeServer(server, 0));

  const document = buildDocument(routes, 'http://localhost');
  const check = createContract(document);

  for (const [of, status, write] of refused) {
    it(`${of}: ${status}, as the document has it of every operation`, async () => {
      await Promise.all(
        routes.map(async (route) => {
          const path = fullPath(route).replaceAll(/:\w+/g, 'x');
          const [answer, ...more] = await exchange(base, write(`${route.method} ${path}`));
          assert.deepEqual([answer?.status, more], [status, []], route.operationId);
          assert.match(answer!.head, /^connection: close$/im);
          const contentType = /^content-type: (.*)$/im.exec(answer!.head)?.[1] ?? '';
          check({ method: route.method, path, status, contentType, body: answer!.body });
        }),
      );
    });
  }
});
