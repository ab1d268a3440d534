import assert from 'node:assert/strict';
import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { startPostgres, type EmbeddedPostgres } from '../../runtime/embedded/postgres/server.js';
import { signal } from '../../runtime/embedded/process-identity.js';
import { uuidv7 } from '../../core/ids.js';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { migrate } from '../../storage/migrate.js';
import { atExit } from '../support/at-exit.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';
import { openEventStream, type EventStream } from '../support/service/event-stream.js';
import { reservePort } from '../support/servers/ports.js';
import { startService, type Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary.js';

/** Two replicas of the API, the first of them a process, on a PostgreSQL that is restarted and killed. */
describe('live changes while parts fail', () => {
  let server: EmbeddedPostgres;
  let db: Db;
  let bearer: string;
  let service: Service;
  let other: TestApi;
  /** The base URL of each replica. */
  let bases: readonly string[];
  const paths = dataPaths(temporaryFolder());

  const startServer = async (): Promise<void> => {
    server = await startPostgres(paths, keptPorts(paths.ports), { portWaitMs: 10_000 });
    const { identity } = server.daemon;
    atExit(() => signal(identity, 'SIGKILL', 'group'));
  };

  before(async function () {
    await startServer();
    db = connectDatabase(server.url, { poolSize: 4 });
    await migrate(db);
    ({ key: bearer } = await createApiKey(db, { name: 'tests', scopes: ['read'] }));
    const port = await reservePort();
    const base = `http://127.0.0.1:${port}`;
    service = await startService('api', {
      DATABASE_URL: server.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      // Its stop waits for a call to it.
      KW_TEMPORAL_TIMEOUT_SECONDS: '1',
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: base,
      PORT: String(port),
    });
    other = await startApi({ database: server });
    bases = [base, other.base];
  });
  after(async () => {
    await Promise.all([service.kill9(), other.stop()]);
    await db.destroy();
    await server.stop();
  });

  const open = async (api: number): Promise<EventStream> => {
    const stream = await openEventStream(`${bases[api]}/api/v1/events`, { bearer });
    await eventually(() => stream.events[0]?.type === 'ready');
    return stream;
  };
  const add = (): Promise<string> =>
    eventually(async () => {
      const id = uuidv7();
      await db('resources').insert({ id, name: 'x', type: 't', source_type: 'UPLOAD', status: 'PENDING' });
      return id;
    });
  const created = (stream: EventStream): string[] => stream.events.slice(1).map((event) => event.data.id);

  it('continue through a restart and a crash of PostgreSQL, on the open streams', async function () {
    const streams = await Promise.all([open(0), open(1)]);
    const ids = [await add()];
    await server.stop();
    await startServer();
    ids.push(await add(), await add());
    await eventually(() => streams.every((stream) => created(stream).length === 3));
    process.kill(server.daemon.identity.pid, 'SIGKILL');
    await eventually(() =>
      db.raw('select 1').then(
        () => false,
        () => true,
      ),
    );
    await startServer();
    ids.push(await add());
    await eventually(() => streams.every((stream) => created(stream).length === 4));
    for (const stream of streams) {
      assert.deepEqual(created(stream), ids);
      assert.equal(stream.ended(), null);
      stream.cut();
    }
  });

  it('of an API that stops end at once and properly; the other replica continues from there', async () => {
    const streams = await Promise.all([open(0), open(0), open(0)]);
    const id = await add();
    await eventually(() => streams.every((stream) => created(stream).includes(id)));
    assert.equal(await service.stop(), 0);
    // After the grace of five seconds they would have been cut off.
    assert.deepEqual(
      streams.map((stream) => stream.ended()),
      ['cleanly', 'cleanly', 'cleanly'],
    );
    const missed = await add();
    const lastId = streams[0].lastId();
    const resumed = await openEventStream(`${bases[1]}/api/v1/events`, { bearer, lastId });
    await eventually(() => resumed.events.length > 0);
    assert.deepEqual(
      resumed.events.map((event) => event.data.id),
      [missed],
    );
    resumed.cut();
  });
});
