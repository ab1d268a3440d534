import type { Knex } from 'knex';

/** What of knex's client and its pool (tarn) is used here: the documented methods that it calls itself. */
interface PooledClient {
  readonly pool: { numUsed(): number; numFree(): number };
  acquireConnection(): Promise<unknown>;
  acquireRawConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<void>;
}

/** Milliseconds after a failed attempt to connect in which nobody else tries. */
const pauseMs = 100;

/**
 * Makes a pool that has no connection fail at once while the server is away: after an attempt to connect has failed,
 * whoever waits for a connection and whoever comes gets the error of that attempt; ten times a second one caller tries
 * again. A pool that has connections goes on as ever, whatever becomes of new ones.
 */
export function failFast(db: Knex): Knex {
  const client = db.client as PooledClient;
  const acquire = client.acquireConnection.bind(client);
  const connect = client.acquireRawConnection.bind(client);
  const waiting = new Set<(error: unknown) => void>();
  let failure: { readonly error: unknown; nextTryAt: number } | null = null;
  let connecting = 0;

  const isEmpty = (): boolean => client.pool.numUsed() + client.pool.numFree() === 0;

  client.acquireRawConnection = async () => {
    connecting += 1;
    try {
      const connection = await connect();
      failure = null;
      return connection;
    } catch (error) {
      failure = { error, nextTryAt: performance.now() + pauseMs };
      if (isEmpty()) for (const giveUp of waiting) giveUp(error);
      throw error;
    } finally {
      connecting -= 1;
    }
  };

  client.acquireConnection = async () => {
    if (failure !== null && isEmpty()) {
      if (connecting > 0 || performance.now() < failure.nextTryAt) throw failure.error;
      failure.nextTryAt = performance.now() + pauseMs;
    }
    const acquired = acquire();
    let giveUp!: (error: unknown) => void;
    const failed = new Promise<never>((_resolve, reject) => (giveUp = reject));
    waiting.add(giveUp);
    try {
      return await Promise.race([acquired, failed]);
    } catch (error) {
      // What the pool hands out after all is nobody's.
      acquired.then(
        (connection) => client.releaseConnection(connection),
        () => undefined,
      );
      throw error;
    } finally {
      waiting.delete(giveUp);
    }
  };
  return db;
}
