import type { Duplex } from 'node:stream';

/** nginx's status for a client that disconnected before it got a response. */
export const clientClosedRequest = 499;

const statuses = new WeakMap<Duplex, number>();

/** Records the status with which we close a connection before its request is completely answered. */
export function noteCut(socket: Duplex, status: number): void {
  statuses.set(socket, status);
}

/** Returns the status with which we closed a connection, or null. */
export function statusOfCut(socket: Duplex): number | null {
  return statuses.get(socket) ?? null;
}
