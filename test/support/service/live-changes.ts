import { uuidv7 } from '../../../core/ids.js';
import { readEventHorizon } from '../../../storage/events.js';
import { startApi, type TestApi } from './api.js';
import { eventually } from '../eventually.js';
import { openEventStream, type EventStream, type ReceivedEvent } from './event-stream.js';
import { createDatabase, type TestDatabase } from '../servers/postgres.js';

/** Two replicas of the API on one database, with a plugin `p` and a pipeline of three steps for documents. */
export interface LiveChanges {
  readonly database: TestDatabase;
  readonly api: TestApi;
  readonly other: TestApi;
  /** A key with the scope `read`. */
  readonly bearer: string;
  /** Opens a stream, on the first replica by default, and waits for its first event. */
  readonly open: (
    path?: string,
    options?: {
      readonly at?: TestApi;
      readonly lastId?: string | null;
      readonly bearer?: string;
      /** Whether to wait until no transaction is open; default: true. False if a test holds one. */
      readonly settled?: boolean;
    },
  ) => Promise<EventStream>;
  /** Cuts all streams opened so far. */
  readonly cutAll: () => void;
  /** Returns the ids in the table that follow an id. */
  readonly idsAfter: (id: string) => Promise<string[]>;
  readonly stop: () => Promise<void>;
}

export async function startLiveChanges(): Promise<LiveChanges> {
  const database = await createDatabase();
  const [api, other] = await Promise.all([startApi({ database }), startApi({ database })]);
  const bearer = await api.key('read');
  await api.call('POST', '/plugins', {
    id: 'p',
    name: 'P',
    kind: 'activity',
    task_queue: 'q',
    activity_type: 'a',
  });
  await api.call('POST', '/pipelines', {
    name: 'Documents',
    trigger_type: 'document',
    steps: [{ plugin_id: 'p' }, { plugin_id: 'p' }, { plugin_id: 'p' }],
  });
  const opened: EventStream[] = [];
  /** Waits until all transactions that began before this call, in any database of the server, have ended. */
  const othersHaveEnded = async (): Promise<void> => {
    const { begunBelow } = await readEventHorizon(database.db);
    await eventually(async () => (await readEventHorizon(database.db)).endedBelow >= begunBelow);
  };
  return {
    database,
    api,
    other,
    bearer,
    async open(path = '/events', options = {}) {
      const url = `${(options.at ?? api).base}/api/v1${path}`;
      // Otherwise the stream would still deliver earlier changes.
      if (options.settled ?? true) await othersHaveEnded();
      const stream = await openEventStream(url, { bearer, ...options });
      opened.push(stream);
      if (stream.status === 200) await eventually(() => stream.text().includes('\n\n'));
      return stream;
    },
    cutAll: () => opened.splice(0).forEach((stream) => stream.cut()),
    async idsAfter(id) {
      const [origin, txid, number] = id.split('-');
      const { rows } = await database.db.raw(
        `select txid::text || '-' || id as id from events where (txid, id) > (cast(? as xid8), cast(? as bigint))
         order by events.txid, events.id`,
        [txid!, number!],
      );
      return rows.map((row: { id: string }) => `${origin}-${row.id}`);
    },
    async stop() {
      await Promise.all([api.stop(), other.stop()]);
      await database.drop();
    },
  };
}

/** Waits for the first event of a type, optionally about a given resource. */
export function first(stream: EventStream, type: string, of?: string): Promise<ReceivedEvent> {
  return eventually(() =>
    stream.events.find(
      (event) => event.type === type && (of ?? event.data.resource_id) === event.data.resource_id,
    ),
  );
}

export function typesOf(stream: EventStream): string[] {
  return stream.events.map((event) => event.type);
}

/** Adds a resource without a pipeline directly to the database. Returns its id. */
export async function addPast(db: TestApi['deps']['db'], name = 'A row'): Promise<string> {
  const id = uuidv7();
  await db('resources').insert({ id, name, type: 'none', source_type: 'UPLOAD', status: 'PENDING' });
  return id;
}
