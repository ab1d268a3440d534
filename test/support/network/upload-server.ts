import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import {
  Agent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { createHttpServer, listen } from '../../../api/server/http-server.js';
import { receiveUpload } from '../../../api/uploads/receive-upload.js';
import { ServiceError } from '../../../core/errors.js';
import { createFileObjectStore } from '../../../storage/object-store/file.js';
import type { ObjectStore } from '../../../storage/object-store/types.js';
import { multipart, type Part } from './multipart.js';
import { keys } from '../stores/stored.js';

export const maxUploadBytes = 3 * 1024 * 1024;

/** What was received, or the error. */
export interface UploadAnswer {
  readonly status: number;
  readonly body: {
    readonly fields?: Record<string, string>;
    readonly file?: Record<string, unknown> | null;
    readonly code?: string;
    readonly message?: string;
    readonly details?: Record<string, unknown>;
  };
}

type Headers = Record<string, string | number>;

/** A server that stores uploads in a file store, and responds with what it received. */
export interface UploadServer {
  readonly port: number;
  readonly store: ObjectStore;
  /** What it observed in this test. */
  readonly seen: {
    readonly failures: unknown[];
    readonly leftovers: string[];
    readonly unexpected: unknown[];
  };
  /** Rejects received uploads until the end of this test. */
  refuseLater(): void;
  /** Opens a request. */
  open(headers?: Headers, to?: number): ClientRequest;
  answerOf(request: ClientRequest): Promise<UploadAnswer>;
  send(body: Buffer | string, headers?: Headers, to?: number): Promise<UploadAnswer>;
  /** Sends a body to a server with another store, which is closed afterwards. */
  sendTo(objectStore: ObjectStore, body: Buffer): Promise<UploadAnswer>;
  /** Resolves when the server has finished the next request, answered or not. */
  nextFinished(): Promise<void>;
  keys(): Promise<string[]>;
  assertNothingKept(): Promise<void>;
  /** Asserts that a response is this error, and that nothing is stored. Returns its body. */
  refused(
    answer: Promise<UploadAnswer> | UploadAnswer,
    status: number,
    code: string,
  ): Promise<UploadAnswer['body']>;
  /** Asserts after each test that there was no unexpected error, and resets the state. */
  endTest(): Promise<void>;
  stop(): Promise<void>;
}

export async function startUploadServer(): Promise<UploadServer> {
  const agent = new Agent({ keepAlive: true });
  const directory = await mkdtemp(join(tmpdir(), 'kw-uploads-'));
  const store = createFileObjectStore({ directory });
  await store.create();
  const seen: UploadServer['seen'] = { failures: [], leftovers: [], unexpected: [] };
  let refusesLater = false;
  let finished = (): void => undefined;

  async function serve(objectStore: ObjectStore): Promise<Server> {
    const app = new Koa();
    let next = 0;
    app.silent = true;
    app.use(async (ctx, go) => {
      try {
        await go();
      } catch (error) {
        if (!(error instanceof ServiceError)) seen.unexpected.push(error);
        seen.failures.push(error);
        const { status, code, message, details } = error as ServiceError;
        ctx.status = error instanceof ServiceError ? status : 500;
        ctx.body = { code, message, details };
      } finally {
        finished();
      }
    });
    app.use(async (ctx) => {
      const upload = await receiveUpload(ctx, {
        objectStore,
        maxUploadBytes,
        keyFor: () => `sources/${next++}`,
        onLeftover: (key) => seen.leftovers.push(key),
      });
      if (refusesLater) {
        await upload.discard();
        await upload.discard();
        throw new ServiceError('VALIDATION_FAILED', 'later');
      }
      ctx.body = { fields: upload.fields, file: upload.file };
    });
    const handle = app.callback();
    const listening = createHttpServer((request, response) => void handle(request, response));
    await listen(listening, '127.0.0.1', 0);
    return listening;
  }

  const server = await serve(store);
  const { port } = server.address() as AddressInfo;

  const open: UploadServer['open'] = (headers = multipart, to = port) =>
    httpRequest({ host: '127.0.0.1', port: to, method: 'POST', headers, agent });
  const answerOf: UploadServer['answerOf'] = async (request) => {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      body: JSON.parse(await text(response)) as UploadAnswer['body'],
    };
  };
  const send: UploadServer['send'] = (body, headers, to) => {
    const request = open(headers, to);
    request.end(body);
    return answerOf(request);
  };
  const assertNothingKept = async (): Promise<void> => {
    assert.deepEqual(await keys(store, ''), []);
    assert.deepEqual(await readdir(join(directory, 'tmp')).catch(() => []), []);
  };

  return {
    port,
    store,
    seen,
    refuseLater: () => void (refusesLater = true),
    open,
    answerOf,
    send,
    async sendTo(objectStore, body) {
      const other = await serve(objectStore);
      try {
        return await send(body, multipart, (other.address() as AddressInfo).port);
      } finally {
        other.closeAllConnections();
        other.close();
        objectStore.close();
      }
    },
    nextFinished: () => new Promise((resolve) => (finished = resolve)),
    keys: () => keys(store, ''),
    assertNothingKept,
    async refused(answer, status, code) {
      const { status: got, body } = await answer;
      assert.equal(`${got} ${String(body.code)}`, `${status} ${code}`, body.message);
      await assertNothingKept();
      return body;
    },
    async endTest() {
      assert.deepEqual(seen.unexpected, []);
      await store.delete(await keys(store, ''));
      for (const each of Object.values(seen)) each.splice(0);
      refusesLater = false;
      finished = () => undefined;
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** The fields next to the file. */
export const fields: readonly Part[] = [
  { name: 'name', content: 'Jahresbericht für Köln' },
  { name: 'type', content: 'document' },
  { name: 'source', content: '{"kind":"UPLOAD"}' },
];

/** A file of 13 bytes. */
export const file: Part = {
  name: 'file',
  fileName: 'r.txt',
  type: 'application/octet-stream',
  content: 'Hello, world.',
};
