import { randomInt } from 'node:crypto';

import { isPortFree } from './ports.js';

/**
 * Ports that browsers refuse to connect to, and that need no privileges to listen on. From the list at
 * https://fetch.spec.whatwg.org/#bad-port, 4190 and 6679 are left out: Chromium did not block them in our tests.
 */
export const blockedPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080,
];

/** A free port of this address that web pages cannot reach, or null if all are taken. */
export async function findBlockedPort(address: string): Promise<number | null> {
  const first = randomInt(blockedPorts.length);
  for (const port of [...blockedPorts.slice(first), ...blockedPorts.slice(0, first)])
    if (await isPortFree(port, address)) return port;
  return null;
}

/** A loopback address of this machine. Linux has millions of them, so several services need not collide. */
export function loopbackAddress(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
