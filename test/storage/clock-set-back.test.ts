import assert from 'node:assert/strict';
import { pino } from 'pino';
import { uuidv7 } from '../../core/ids.js';
import { createRunReconciler, type RunTables } from '../../runtime/sweeps/reconcile-runs.js';
import { createTurns } from '../../runtime/sweeps/turns.js';
import type { Db } from '../../storage/database/connection.js';
import { enqueue, leaseMessages } from '../../storage/outbox.js';
import { makeDueAfterSetBack, takeChanges } from '../../storage/search/changes.js';
import { takeLease } from '../../storage/sweeps/leases.js';
import { endSweep, listPausedSweeps, takeSweep } from '../../storage/sweeps/turns.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

/** What rows contain that were written while the clock was ahead. */
const inHours = "now() + interval '8 hours'";

describe("after the database's clock was hours ahead and was set back", () => {
  let database: TestDatabase;
  let db: Db;
  before(async () => {
    database = await createDatabase();
    db = database.db;
  });
  after(() => database.drop());

  it('sweeps take their turns, except those that may pause for so long', async () => {
    const turns = createTurns({
      listPaused: () => listPausedSweeps(db),
      take: (name, times) => takeSweep(db, name, times),
      end: (name, next) => endSweep(db, name, next),
    });
    const taken: string[] = [];
    const round = async (): Promise<string[]> => {
      await turns.look();
      for (const turn of [
        { name: 'often', pauseSeconds: 100 },
        { name: 'daily', pauseSeconds: 100, longestPauseSeconds: 86_400 },
      ])
        await turns.take(turn, () => Promise.resolve(void taken.push(turn.name)).then(() => null));
      return taken.splice(0);
    };
    assert.deepEqual(await round(), ['often', 'daily']);
    assert.deepEqual(await round(), []);
    await db('sweeps').update({ due_at: db.raw(inHours) });
    assert.deepEqual(await round(), ['often']);
    assert.deepEqual(await round(), []);
  });

  it('a lease whose holder is gone can be taken', async () => {
    const options = { seconds: 100, renewSeconds: 1, backend: null };
    assert.ok(await takeLease(db, 'work', options));
    assert.equal(await takeLease(db, 'work', options), null);
    await db('sweeps')
      .where({ name: 'work' })
      .update({ due_at: db.raw(inHours) });
    assert.ok(await takeLease(db, 'work', options));
    assert.equal(await takeLease(db, 'work', options), null);
  });

  it('messages are sent, except those that wait or that another process is sending', async () => {
    const add = async (times: Readonly<Record<string, string>>): Promise<number> => {
      const message = await enqueue(db, 'CLEAN_UP', uuidv7(), null);
      const values = Object.entries(times).map(([column, at]) => [column, db.raw(at)]);
      await db('outbox').where({ id: message }).update(Object.fromEntries(values));
      return message;
    };
    const lease = async (): Promise<number[]> =>
      (await leaseMessages(db, { limit: 10, leaseSeconds: 100 })).map(({ id }) => id);
    await add({ due_at: "now() + interval '30 seconds'" });
    await add({ leased_until: "now() + interval '100 seconds'" });
    const leased = await add({ leased_until: inHours });
    const postponed = await add({ due_at: inHours });
    assert.deepEqual(await lease(), [leased]);
    assert.deepEqual(await lease(), [postponed]);
    assert.deepEqual(await lease(), []);
  });

  it('search changes are due, except those that are kept for an index', async () => {
    const [kept, late] = [uuidv7(), uuidv7()];
    await db('search_changes').insert([
      { resource_id: kept, due_at: 'infinity' },
      { resource_id: late, due_at: db.raw(inHours) },
    ]);
    await makeDueAfterSetBack(db);
    const taken = await takeChanges(db, { limit: 10, againSeconds: 100 });
    assert.deepEqual(
      taken.map(({ resource_id }) => resource_id),
      [late],
    );
  });

  it('closed runs are looked for up to the present', async () => {
    const now = Date.now();
    const asked: Date[] = [];
    const closedRuns = (since: Date): AsyncIterable<never> => {
      asked.push(since);
      return (async function* () {})();
    };
    const away = (): never => assert.fail('it is not used');
    const runs = createRunReconciler(
      {} as RunTables,
      { closedRuns, runStatus: away, terminateOverdue: away },
      pino({ level: 'silent' }),
      () => now,
    );
    const next = await runs.settleClosed(new Date(now + 8 * 3_600_000));
    await runs.settleClosed(next);
    assert.deepEqual(asked, [new Date(now - 24 * 3_600_000), next]);
    assert.ok(next.getTime() < now);
  });
});
