import { Socket } from 'node:net';
import { startTimeLimit } from '../../core/time-limit.js';

/** The parts of knex's pool (tarn) used here: its counts, its events, and what it does after a failed attempt. */
export interface ConnectionPool {
  /** Whether a failed attempt fails a caller that waits for a connection; read after the event `createFail`. */
  propagateCreateError: boolean;
  numUsed(): number;
  numFree(): number;
  on(event: 'createSuccess', listener: () => void): void;
  on(event: 'createFail', listener: (id: number, error: Error) => void): void;
}

export interface ConnectionGate {
  /**
   * Creates the socket of a new connection, for pg's option `stream`. It closes after `openMs` if no connection could be
   * opened meanwhile, and after `silenceMs` without traffic.
   */
  createSocket(limits: { readonly openMs: number; readonly silenceMs: number }): Socket;
  /** Watches a pool to learn whether connections can be opened. */
  watch(pool: ConnectionPool): void;
  /** Why the last connection could not be opened; null if it could. */
  lastFailure(): Error | null;
}

/** Minimum pause after a failed connection attempt, in milliseconds. */
const pauseMs = 250;

/**
 * Whether a server lacks resources for a connection: PostgreSQL's class 53, mostly 53300, or the message of PgBouncer,
 * which names its setting, such as max_client_conn.
 */
function isFull(error: Error): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code.startsWith('53') || (code === '08P01' && /max_\w*conn/.test(message));
}

/**
 * Makes a pool fail fast while its server is unreachable. After a failed connection attempt, a pool without connections
 * fails further attempts with the same error and tries the server at most four times a second. A pool that still has
 * connections keeps using them and delays each attempt by the pause, so that its callers wait for those connections. If
 * the server refuses an attempt because it is full, callers fail only at their own time limit, and all attempts together
 * are as rare as those of a pool without connections.
 *
 * The pool must retry without a pause (`createRetryIntervalMillis: 1`): each retry fails one caller of an empty pool.
 */
export function createConnectionGate(): ConnectionGate {
  /** The sockets that are being opened, and what stops their time limit. */
  const connecting = new Map<Socket, () => void>();
  let pool: ConnectionPool | null = null;
  let failure: Error | null = null;
  let nextTryAt = 0;

  const isEmpty = (): boolean => pool !== null && pool.numUsed() + pool.numFree() === 0;

  const settle = (socket: Socket): void => {
    connecting.get(socket)?.();
    connecting.delete(socket);
  };

  class GatedSocket extends Socket {
    constructor(private readonly openMs: number) {
      super();
    }

    override connect(...target: readonly unknown[]): this {
      const now = performance.now();
      const waitMs = failure === null ? 0 : nextTryAt - now;
      if (failure !== null && isEmpty() && (connecting.size > 0 || waitMs > 0)) {
        return this.destroy(failure);
      }
      if (failure !== null && isFull(failure)) nextTryAt = Math.max(nextTryAt, now) + pauseMs;
      const open = (): this => {
        const stop = startTimeLimit(this.openMs, () => this.destroy(silent()));
        connecting.set(this, stop);
        return super.connect(...(target as [string]));
      };
      connecting.set(this, () => undefined);
      this.once('close', () => settle(this));
      if (waitMs <= 0) return open();
      setTimeout(() => {
        if (!this.destroyed) open();
      }, waitMs);
      return this;
    }
  }

  return {
    createSocket({ openMs, silenceMs }) {
      const socket = new GatedSocket(openMs);
      socket.setTimeout(silenceMs, () => socket.destroy(silent()));
      return socket;
    },
    watch(watched) {
      pool = watched;
      watched.on('createSuccess', () => {
        failure = null;
        for (const socket of connecting.keys()) settle(socket);
      });
      watched.on('createFail', (_id, error) => {
        watched.propagateCreateError = isEmpty() || !isFull(error);
        if (error === failure) return;
        failure = error;
        // If the server is full, sockets may already be scheduled up to `nextTryAt`, so it must not move back.
        nextTryAt = Math.max(isFull(error) ? nextTryAt : 0, performance.now() + pauseMs);
      });
    },
    lastFailure: () => failure,
  };
}

function silent(): Error {
  return Object.assign(new Error('The database stopped responding.'), { code: 'ETIMEDOUT' });
}
