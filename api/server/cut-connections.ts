import type { Duplex } from 'node:stream';

/** nginx's status for a client that went before it was answered. */
export const clientClosedRequest = 499;

const statuses = new WeakMap<Duplex, number>();

/** Notes that we end a connection before its request is answered, and with which status. */
export function noteCut(socket: Duplex, status: number): void {
  statuses.set(socket, status);
}

/** The status with which we ended a connection; null: we did not. */
export function statusOfCut(socket: Duplex): number | null {
  return statuses.get(socket) ?? null;
}
