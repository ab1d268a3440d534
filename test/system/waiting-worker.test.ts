import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { createKw } from '../support/service/kw.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

/** Nothing listens there. */
const away = '127.0.0.1:1';

describe('a worker that waits at its start', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  const stops = async (signal: NodeJS.Signals, databaseUrl: string, waitsFor: RegExp): Promise<void> => {
    const { child, said, ended } = createKw({
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: away,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: 'http://127.0.0.1:8080',
    }).start('worker');
    await eventually(() => waitsFor.test(said.stdout));
    child.kill(signal);
    assert.equal((await ended).code, 0);
  };

  it('for the database stops on SIGTERM', () =>
    stops('SIGTERM', `postgres://kw:kw@${away}/kw`, /could not register the built-in plugins/));

  it('for Temporal stops on SIGINT', () => stops('SIGINT', database.url, /could not connect to Temporal/));
});
