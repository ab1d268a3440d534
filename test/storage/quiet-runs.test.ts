import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import { leaseQuietRuns } from '../../storage/transitions/reconcile.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

describe('runs whose workflow is checked', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  /** A run that was checked two minutes ago, and began an attempt `activeSeconds` ago. */
  const add = async (activeSeconds: number, isMissing = false): Promise<string> => {
    const { db } = database;
    const id = uuidv7();
    const ago = (seconds: number) => db.raw('now() - make_interval(secs => ?)', [seconds]);
    const ref = { resource_id: id, run: 1 };
    await db('resources').insert({ id, name: 'x', type: 'x', source_type: 'UPLOAD', status: 'PROCESSING' });
    await db('runs').insert({
      ...{ ...ref, status: 'PROCESSING', workflow_id: id, source_ready: true },
      ...{ checked_at: ago(120), missing_since: isMissing ? ago(40) : null },
    });
    await db('steps').insert({
      ...{ ...ref, index: 0, plugin_id: 'p', kind: 'activity', status: 'RUNNING' },
      ...{ max_attempts: 3, backoff_seconds: 1, timeout_seconds: 60 },
    });
    const attempt = { ...ref, step_index: 0, max: 3, deadline: ago(0) };
    await db('attempts').insert([
      { ...attempt, number: 1, started_at: ago(300) },
      { ...attempt, number: 2, started_at: ago(activeSeconds) },
    ]);
    return id;
  };

  it('are those without an attempt for a minute, and those that were missing; an active one counts from its attempt', async () => {
    const [active, silent, missing] = [await add(50), await add(90), await add(50, true)];
    const lease = async () =>
      (await leaseQuietRuns(database.db, { limit: 10, quietSeconds: 60 })).map((run) => [
        run.resourceId,
        run.missing,
      ]);
    const expected = [
      [missing, true],
      [silent, false],
    ];
    assert.deepEqual((await lease()).sort(), expected.sort());
    assert.deepEqual(await lease(), []);
    const { rows } = await database.db.raw<{ rows: { resource_id: string; seconds: number }[] }>(
      'select resource_id, round(extract(epoch from now() - checked_at))::integer as seconds from runs',
    );
    const checked = new Map(rows.map(({ resource_id, seconds }) => [resource_id, seconds]));
    assert.ok(checked.get(active)! >= 50, `${checked.get(active)} s`);
    for (const id of [silent, missing]) assert.ok(checked.get(id)! < 50, `${checked.get(id)} s`);
  });
});
