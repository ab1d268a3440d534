import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { writeFileAtomically } from './files.js';
import { StartError } from './start-error.js';

/** Below the ephemeral ports of Linux and macOS, so that a port stays free while this service is down. */
const range = { from: 20_000, to: 32_000 } as const;

/** Whether a server could listen there now. Rejects if this machine does not have the address. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether a server accepts connections there. */
export async function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Waits at most `timeoutMs` until the port is free. Returns whether it is. */
export async function waitForPort(port: number, host: string, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (!(await isPortFree(port, host))) {
    if (performance.now() >= until) return false;
    await sleep(100);
  }
  return true;
}

/** A port of 127.0.0.1 that is free now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (await isPortFree(port)) return port;
  }
}

/** Ports by the name of their listener, kept in a file, so that addresses stay the same across restarts. */
export interface KeptPorts {
  /** The port kept under this name if it is free, or becomes so within `waitMs`; else another, kept from now on. */
  get(name: string, waitMs?: number): Promise<number>;
  /** Forgets the port of this name because something else took it; does nothing if the port was published. */
  forget(name: string): void;
  /**
   * Marks the port of this name as published: it must not change while this process runs. From now on, `get` throws
   * StartError instead of choosing another port.
   */
  hold(name: string): void;
}

/**
 * The ports kept in this file, which need not exist yet.
 *
 * @param reserved Ports that must not be chosen, because something else will listen on them.
 */
export function keptPorts(file: string, reserved: readonly number[] = []): KeptPorts {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const ports = new Map(Object.entries(JSON.parse(text) as Record<string, number>));
  const held = new Set<string>();
  return {
    async get(name, waitMs = 0) {
      const kept = ports.get(name);
      const isOurs = kept !== undefined && !reserved.includes(kept);
      if (isOurs && (await waitForPort(kept, '127.0.0.1', waitMs))) return kept;
      if (held.has(name))
        throw new StartError(
          `${name} cannot start again: its port, 127.0.0.1:${kept ?? ''}, is in use by another program. End that program, or restart everything.`,
        );
      let port = await findFreePort();
      while ([...reserved, ...ports.values()].includes(port)) port = await findFreePort();
      ports.set(name, port);
      writeFileAtomically(file, `${JSON.stringify(Object.fromEntries(ports), null, 2)}\n`);
      return port;
    },
    forget(name) {
      if (!held.has(name)) ports.delete(name);
    },
    hold(name) {
      held.add(name);
    },
  };
}
