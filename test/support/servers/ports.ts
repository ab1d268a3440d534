import { randomInt } from 'node:crypto';
import { isPortFree } from '../../../runtime/embedded/ports.js';

/** Below the ports that `kw start` uses for its parts, and that the system uses for outgoing connections. */
const range = { from: 11_000, to: 20_000 } as const;

const reserved = new Set<number>();

/**
 * Reserves a free port of 127.0.0.1 for a program that needs a fixed port. No other caller in this process gets it, and
 * programs started by tests do not pick it by themselves.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (reserved.has(port) || !(await isPortFree(port))) continue;
    reserved.add(port);
    return port;
  }
}
