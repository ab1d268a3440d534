import { randomInt } from 'node:crypto';
import { isPortFree } from '../../runtime/embedded/ports.js';

/** Below the ports that `kw start` takes for its parts, and that the system takes for outgoing connections. */
const range = { from: 11_000, to: 20_000 } as const;

const reserved = new Set<number>();

/**
 * A free port of 127.0.0.1 for who can only be told where to listen. It stays theirs: no other caller in this process is
 * given it, and nothing that a test starts takes it by itself.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (reserved.has(port) || !(await isPortFree(port))) continue;
    reserved.add(port);
    return port;
  }
}
