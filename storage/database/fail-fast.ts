import { Socket } from 'node:net';

/** What is used of the pool of knex (tarn): its counts and its events. */
export interface ConnectionPool {
  numUsed(): number;
  numFree(): number;
  on(event: 'createSuccess', listener: () => void): void;
  on(event: 'createFail', listener: (id: number, error: Error) => void): void;
}

export interface ConnectionGate {
  /** The socket of a new connection, for the option `stream` of pg. It closes after `silenceMs` without traffic. */
  createSocket(silenceMs: number): Socket;
  /** Learns from a pool whether connections can be made. */
  watch(pool: ConnectionPool): void;
}

/** Milliseconds after a failed attempt to connect in which no other one is made. */
const pauseMs = 250;

/**
 * Makes a pool fail at once while its server is away. After an attempt to connect has failed, a pool without connections
 * gets the error of that attempt for every other one, and tries the server four times a second at most. A pool that has
 * connections goes on with them and delays each attempt by the pause, so that its callers wait for those.
 *
 * The pool must retry without a pause (`createRetryIntervalMillis: 1`): each retry fails one caller.
 */
export function createConnectionGate(): ConnectionGate {
  const connecting = new Set<Socket>();
  let pool: ConnectionPool | null = null;
  let failure: { readonly error: Error; readonly nextTryAt: number } | null = null;

  const isEmpty = (): boolean => pool !== null && pool.numUsed() + pool.numFree() === 0;

  class GatedSocket extends Socket {
    override connect(...target: readonly unknown[]): this {
      const waitMs = failure === null ? 0 : failure.nextTryAt - performance.now();
      if (failure !== null && isEmpty() && (connecting.size > 0 || waitMs > 0)) {
        return this.destroy(failure.error);
      }
      connecting.add(this);
      this.once('close', () => connecting.delete(this));
      const open = (): this => super.connect(...(target as [string]));
      if (waitMs <= 0) return open();
      setTimeout(() => {
        if (!this.destroyed) open();
      }, waitMs);
      return this;
    }
  }

  return {
    createSocket(silenceMs) {
      const socket = new GatedSocket();
      socket.setTimeout(silenceMs, () => {
        socket.destroy(Object.assign(new Error('The database fell silent.'), { code: 'ETIMEDOUT' }));
      });
      return socket;
    },
    watch(watched) {
      pool = watched;
      pool.on('createSuccess', () => {
        failure = null;
        connecting.clear();
      });
      pool.on('createFail', (_id, error) => {
        if (error !== failure?.error) failure = { error, nextTryAt: performance.now() + pauseMs };
      });
    },
  };
}
