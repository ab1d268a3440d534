import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Time limit for connecting, and for each answer, in milliseconds. */
const patienceMs = 5_000;
/** Milliseconds between two checks that the server is still there. */
const pingMs = 15_000;
/** Pause between two connection attempts, in milliseconds: initial and maximum. */
const [firstPauseMs, longestPauseMs] = [100, 5_000];

export interface Listening {
  /** The process id of the server process of the open connection; null while there is none, and behind a pooler. */
  readonly backend: () => number | null;
  /** Closes the connection. */
  close(): Promise<void>;
}

/**
 * Listens to a PostgreSQL channel on a dedicated connection, which is reopened whenever it breaks.
 *
 * @param onNotification Called for each notification, and after each (re)connection, since notifications sent before it are
 *    lost.
 * @param onFailure Called when the connection breaks or cannot be opened; it is retried.
 */
export function listenTo(
  url: string,
  channel: string,
  handlers: { readonly onNotification: () => void; readonly onFailure: (error: unknown) => void },
): Listening {
  const { onNotification, onFailure } = handlers;
  const closing = new AbortController();
  const { signal } = closing;
  const isClosing = (): boolean => signal.aborted;
  let backend: number | null = null;

  const listen = async (connected: () => void): Promise<void> => {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: url,
      application_name: 'knowledge-warehouse events',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
      stream: () => socket,
    });
    const ended = new Promise<never>((_resolve, reject) => {
      client.on('error', reject).on('end', () => reject(new Error('The connection ended.')));
    });
    ended.catch(() => undefined);
    try {
      await client.connect();
      client.on('notification', onNotification);
      await client.query(`listen ${channel}`);
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      // A pooler sends an id of its own: its connections to the server are not tied to this one.
      const { processID } = client as unknown as { readonly processID: number | null };
      backend = rows[0]?.pid === processID ? processID : null;
      connected();
      onNotification();
      while (!isClosing()) {
        await Promise.race([ended, pause(pingMs, undefined, { signal })]);
        await client.query('select 1');
      }
    } finally {
      backend = null;
      // A hung server does not close the connection either.
      await Promise.race([client.end().catch(() => undefined), pause(500)]);
      socket.destroy();
    }
  };

  const running = (async () => {
    let pauseMs = firstPauseMs;
    while (!isClosing()) {
      try {
        await listen(() => (pauseMs = firstPauseMs));
      } catch (error) {
        if (isClosing()) return;
        onFailure(error);
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  })();

  return {
    backend: () => backend,
    async close() {
      closing.abort();
      await running;
    },
  };
}
