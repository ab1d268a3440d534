import assert from 'node:assert/strict';
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import * as lancedb from '@lancedb/lancedb';
import { registerVectorsConfig, type RegisterVectorsConfig } from '../../plugins/register-vectors/config.js';
import { createHousekeeping } from '../../plugins/register-vectors/lance-housekeeping.js';
import { schemaOf } from '../../plugins/register-vectors/lance-rows.js';
import { createTable } from '../../plugins/register-vectors/lance-table.js';
import { createLanceStore } from '../../plugins/register-vectors/lance.js';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { startS3, type TestS3 } from '../support/servers/s3.js';
import { alpha, rowsOf } from './support/registrations.js';

describe('register-vectors, with an S3 server that', () => {
  let site: RemoteSite;
  before(async () => {
    site = await startRemoteSite();
  });
  after(() => site.stop());

  const configOf = (secret: string, others: object = {}): RegisterVectorsConfig =>
    parseConfig(registerVectorsConfig, {
      vector_store_url: 'lancedb:s3://bucket',
      s3_endpoint: site.url,
      s3_access_key_id: 'id',
      s3_secret_access_key: secret,
      ...others,
    }) as RegisterVectorsConfig;

  describe('never responds', () => {
    let requests = 0;
    beforeEach(() => {
      requests = 0;
      site.handle = () => (requests += 1);
    });
    const make = (signal: AbortSignal, silenceMs: number): Promise<void> => {
      const address = { kind: 's3', bucket: 'bucket', prefix: '' } as const;
      return createTable(lancedb, address, configOf('very-secret'), schemaOf(3), { signal, silenceMs });
    };

    it('gives up after a while', async () => {
      await assert.rejects(make(new AbortController().signal, 100), /timed out|timeout/i);
      assert.equal(requests, 3);
    });

    it('stops at once when the attempt ends', async () => {
      const ending = new AbortController();
      const making = make(ending.signal, 600_000);
      const left = assert.rejects(making, { name: 'AbortError' });
      await eventually(() => requests === 1);
      ending.abort();
      await left;
    });
  });

  describe('quotes the secret', () => {
    let s3: TestS3;
    before(async () => {
      s3 = await startS3();
    });
    after(() => s3.stop());

    /** Hands a request on as it is. */
    const handOn = (request: IncomingMessage, response: ServerResponse): void => {
      const { method, url: path, headers } = request;
      const { hostname, port } = new URL(s3.endpoint);
      const onward = ask({ hostname, port, method, path, headers }, (answer) => {
        answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
      });
      request.pipe(onward);
    };

    it('does not log it when a table cannot be compacted', async () => {
      const { bucket, accessKeyId, secretAccessKey: secret } = s3;
      // The tags are asked for when old versions are to be removed, and by nothing else.
      site.handle = (request, response) => {
        if (request.url?.includes('_refs%2Ftags') !== true) handOn(request, response);
        else response.writeHead(403).end(`<Error>${secret}</Error>`);
      };
      const lines: string[] = [];
      const note = (fields: object, message: string): void =>
        void lines.push(`${message} ${JSON.stringify(fields)}`);
      const host = {
        fetch,
        signal: new AbortController().signal,
        log: { info: note, warn: note, error: note },
      };
      const store = createLanceStore(
        { kind: 's3', bucket, prefix: '' },
        configOf(secret, { s3_access_key_id: accessKeyId }),
        host,
        createHousekeeping(),
      );
      await store.prepare(3);
      await store.upsert(rowsOf(alpha, 1, 2));
      store.close();
      assert.equal(lines.length, 1);
      assert.match(lines[0]!, /not be compacted.*LanceDB: .*…/s);
      assert.ok(!lines[0]!.includes(secret), lines[0]);
    });
  });
});
