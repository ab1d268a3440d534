import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ServiceError, type ErrorCode } from '../../../core/errors.js';
import { openUrl, OutgoingError, type OutgoingErrorCode } from '../../../runtime/outgoing/index.js';

/** A suite's own site as the target of requests. */
export interface OutgoingSite {
  readonly base: string;
  readonly port: number;
  /** Method and path of each request since the test began. */
  readonly requests: string[];
  /** Sets the handler for further requests. */
  answer(handler: RequestListener): void;
  /** Returns the policy that allows requests to it. */
  allow(): { allow: string[] };
  /** Returns the response body for a URL as text. */
  read(url: string, options?: Partial<Parameters<typeof openUrl>[1]>): Promise<string>;
}

/** Starts a site before the calling suite, and asserts after every test that no connection is open. */
export function useOutgoingSite(): OutgoingSite {
  let server: Server;
  let port: number;
  let handle: RequestListener;
  let requests: string[];
  const allow = (): { allow: string[] } => ({ allow: [`127.0.0.1:${port}`] });

  before(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      handle(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => (requests = []));
  afterEach(async () => {
    server.closeAllConnections();
    // Every request has its own connection, which ends with it.
    const connections = await new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
    assert.equal(connections, 0);
  });
  after(() => void server.close());

  return {
    get base() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get requests() {
      return requests;
    },
    answer: (handler) => void (handle = handler),
    allow,
    async read(url, options = {}) {
      const opened = await openUrl(url, {
        policy: allow(),
        maxBytes: 1_000_000,
        timeoutMs: 60_000,
        ...options,
      });
      return text(opened.stream);
    },
  };
}

/** For assert.rejects: the address rules refuse the request. */
export function isRefused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

/** For assert.rejects: the request fails with this code, and with this message or any. */
export function failsWith(code: OutgoingErrorCode, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof OutgoingError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /undefined|\[object/);
    return true;
  };
}

/** A policy that allows no special address. */
export const allowNone = { allow: [] };
