import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeEvent } from '../../core/events.js';
import { uuidv7 } from '../../core/ids.js';
import { createEventFeed, type EventFeed, type EventFollower } from '../../runtime/events/event-feed.js';
import { createLogger } from '../../runtime/logging/logger.js';
import type { Db } from '../../storage/database/connection.js';
import { eventChannel, readEventHorizon, readEvents } from '../../storage/events.js';
import { listenTo } from '../../storage/database/listen.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

const hourMs = 3_600_000;

/** The reader of changes, which looks by itself once an hour: what it sees, it was woken for. */
describe('the event feed', () => {
  let database: TestDatabase;
  let db: Db;
  let feed: EventFeed;
  /** The origin that the database is taken for. */
  let origin: string | null;
  let reads: number;

  const log = createLogger({ logLevel: 'silent', logFormat: 'json' }, {});

  before(async () => {
    database = await createDatabase();
    ({ db } = database);
  });
  beforeEach(() => {
    origin = null;
    reads = 0;
    feed = createEventFeed(
      {
        horizon: async () => as(await readEventHorizon(db)),
        read: async (after, limit) => {
          reads += 1;
          return as(await readEvents(db, after, limit));
        },
        listen: (onNotification) =>
          listenTo(database.url, eventChannel, { onNotification, onFailure: () => undefined }),
      },
      log,
      hourMs,
    );
  });
  afterEach(() => feed.close());
  after(() => database.drop());

  const as = <T extends { readonly origin: string }>(page: T): T => ({
    ...page,
    origin: origin ?? page.origin,
  });

  interface Seen extends EventFollower {
    readonly words: string[];
    readonly events: ChangeEvent[];
    readonly ids: () => (string | null)[];
  }
  const follower = (): Seen => {
    const [words, events]: [string[], ChangeEvent[]] = [[], []];
    return {
      words,
      events,
      ids: () => events.map((event) => event.resourceId),
      ready: (id) => void words.push(`ready ${id}`),
      reset: (id) => void words.push(`reset ${id}`),
      deliver: (event) => void events.push(event),
      hasRoom: () => Promise.resolve(),
      end: () => void words.push('end'),
    };
  };
  const add = async (on: Db = db): Promise<string> => {
    const id = uuidv7();
    await on('resources').insert({
      id,
      name: 'A row',
      type: 'none',
      source_type: 'UPLOAD',
      status: 'PENDING',
    });
    return id;
  };
  const listeners = async (): Promise<number[]> =>
    await db('pg_stat_activity')
      .where({ application_name: 'knowledge-warehouse events' })
      .whereRaw('datname = current_database()')
      .pluck('pid');
  const listening = (): Promise<number> =>
    eventually(async () => {
      const [pid, ...others] = await listeners();
      assert.equal(others.length, 0);
      return pid ?? false;
    });

  it('is notified by any committer; one connection listens for all followers', async () => {
    const all = [follower(), follower(), follower()];
    const followings = await Promise.all(all.map((each) => feed.follow(null, each)));
    await listening();
    const ids = [await add(), await add()];
    await eventually(() => all.every((each) => each.events.length === 2));
    for (const each of all) assert.deepEqual(each.ids(), ids);
    for (const each of followings) each.stop();
    await eventually(async () => (await listeners()).length === 0);
    await add();
    const late = follower();
    await feed.follow(null, late);
    ids.push(await add());
    // What was committed just before may come as well: events wait for the oldest transaction of the server.
    await eventually(() => late.ids().at(-1) === ids.at(-1));
    assert.ok(!ids.slice(0, 2).some((id) => late.ids().includes(id)));
    assert.ok(all.every((each) => each.events.length === 2));
  });

  it('recovers from a killed connection without a loss', async () => {
    const one = follower();
    await feed.follow(null, one);
    const ids: string[] = [];
    let pid = await listening();
    for (let round = 0; round < 5; round += 1) {
      ids.push(await add());
      await db.raw('select pg_terminate_backend(?)', [pid]);
      ids.push(await add(), await add());
      pid = await eventually(async () => (await listeners()).find((each) => each !== pid));
      await eventually(() => one.events.length === ids.length);
    }
    assert.deepEqual(one.ids(), ids);
  });

  it('includes changes of transactions that another one notifies for, once all have ended', async () => {
    const one = follower();
    await feed.follow(null, one);
    await listening();
    const notifier = await db.transaction();
    const silent = await db.transaction();
    const ids = [await add(notifier), await add(silent)];
    const soon = await add();
    await notifier.commit();
    await eventually(() => one.events.length === 1);
    await pause(300);
    assert.deepEqual(one.ids(), ids.slice(0, 1));
    await silent.commit();
    await eventually(() => one.events.length === 3);
    assert.deepEqual(one.ids(), [...ids, soon]);
    // Then it rests.
    await eventually(async () => {
      const before = reads;
      await pause(500);
      return reads === before;
    });
  });

  it('tells a follower to start over when the database turns out to be another', async () => {
    const [one, slow] = [follower(), follower()];
    await feed.follow(null, one);
    await listening();
    const id = await add();
    await eventually(() => one.events.length === 1);
    const last = one.words[0]!.slice('ready '.length);
    origin = 'ffffffffffff';
    await feed.follow(last, slow);
    await add();
    await eventually(() => one.words.length === 2 && slow.words.length === 1);
    assert.match(one.words[1]!, /^reset ffffffffffff-/);
    assert.match(slow.words[0]!, /^reset ffffffffffff-/);
    const next = await add();
    for (const each of [one, slow]) await eventually(() => each.ids().at(-1) === next);
    assert.equal(one.ids()[0], id);
  });

  it('ends all followers when it closes, including new ones', async () => {
    const [one, late] = [follower(), follower()];
    await feed.follow(null, one);
    await feed.close();
    await feed.follow(null, late);
    assert.deepEqual([one.words.at(-1), late.words], ['end', ['end']]);
    assert.deepEqual(await listeners(), []);
  });
});
