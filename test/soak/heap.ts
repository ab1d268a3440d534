import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { eventually } from '../support/eventually.js';
import type { TestStack } from '../support/service/stack.js';

/** For NODE_OPTIONS of the processes that are looked into: each takes a port of its own once it is asked. */
export const inspectable = '--inspect-port=0';

/** MiB of heap that a process held at first and at last, after garbage was collected: in use, or leaked. */
export interface HeapTrend {
  readonly name: string;
  readonly mib: readonly [number, number];
}

/**
 * Looks into the heaps of the main threads of processes of a stack, now and when it is stopped. They are at work by now:
 * the signal that opens the inspector would end one that has hardly begun.
 *
 * @param stack started with {@link inspectable}
 */
export async function watchHeaps(
  stack: TestStack,
  names: readonly string[],
): Promise<{ stop(): Promise<HeapTrend[]> }> {
  const watched = await Promise.all(
    names.map(async (name) => {
      const logFile = join(stack.dataDir, 'logs', `${name}.log`);
      const inspector = await connect(stack.stack().processes[name]!, logFile);
      return { name, inspector, first: await heldMib(inspector) };
    }),
  );
  return {
    stop: () =>
      Promise.all(
        watched.map(async ({ name, inspector, first }) => {
          const last = await heldMib(inspector);
          // A process that is stopped waits for whoever is connected.
          inspector.close();
          return { name, mib: [first, last] };
        }),
      ),
  };
}

/** A connection to the inspector of a Node process. */
interface Inspector {
  readonly ask: (method: string, params?: object) => Promise<unknown>;
  readonly close: () => void;
}

interface Reply {
  readonly id: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/** @param logFile where the process writes its stderr, and so the address of its inspector */
async function connect(pid: number, logFile: string): Promise<Inspector> {
  process.kill(pid, 'SIGUSR1');
  const address = (): string | undefined =>
    [...readFileSync(logFile, 'utf8').matchAll(/^Debugger listening on (ws:\S+)$/gm)].at(-1)?.[1];
  const socket = new WebSocket(await eventually(address));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`The inspector of ${pid} does not answer.`)));
  });
  let last = 0;
  const ask: Inspector['ask'] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      socket.addEventListener('close', () =>
        reject(new Error(`${pid} ended while it was asked for ${method}.`)),
      );
      socket.addEventListener('message', ({ data }) => {
        const reply = JSON.parse(data as string) as Reply;
        if (reply.id === id) resolve(reply.result?.result?.value);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const found = await ask('Runtime.evaluate', { expression: 'process.pid' });
  if (found !== pid) throw new Error(`${logFile} names the inspector of ${String(found)}, not of ${pid}.`);
  return { ask, close: () => socket.close() };
}

async function heldMib({ ask }: Inspector): Promise<number> {
  // The second takes what finalizers let go.
  for (let times = 0; times < 2; times++) await ask('HeapProfiler.collectGarbage');
  return Number(await ask('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' })) / 2 ** 20;
}
