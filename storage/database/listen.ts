import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds that making the connection, or an answer on it, may take. */
const patienceMs = 5_000;
/** Milliseconds between two looks whether the server is still there. */
const pingMs = 15_000;
/** Milliseconds between two attempts to connect: at first, and at most. */
const [firstPauseMs, longestPauseMs] = [100, 5_000];

export interface Listening {
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Listens to a channel of PostgreSQL on a connection of its own, which it opens again whenever it breaks.
 *
 * @param heard Called for each notification, and each time the connection is there: what was said before is not heard.
 * @param failed Called when the connection broke or could not be made; it is tried again.
 */
export function listenTo(
  url: string,
  channel: string,
  { heard, failed }: { readonly heard: () => void; readonly failed: (error: unknown) => void },
): Listening {
  const closing = new AbortController();
  const { signal } = closing;
  const isClosing = (): boolean => signal.aborted;

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
      client.on('notification', heard);
      await client.query(`listen ${channel}`);
      connected();
      heard();
      while (!isClosing()) {
        await Promise.race([ended, pause(pingMs, undefined, { signal })]);
        await client.query('select 1');
      }
    } finally {
      // One that hangs does not even say farewell.
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
        failed(error);
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  })();

  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
