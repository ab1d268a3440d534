import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is started once for a whole test run with any number of processes. */
export interface SharedServer<Info> {
  /** Its connection data. It is sent to test processes as JSON. */
  readonly info: Info;
  stop(): Promise<void>;
}

/** Loaded on first use, so that tests without servers load nothing. */
const starters = {
  postgres: async () => (await import('./postgres.js')).startSharedPostgres(),
  temporal: async () => (await import('./temporal.js')).startSharedTemporal(),
  chromium: async () => (await import('./chromium.js')).startSharedChromium(),
} as const;

type Name = keyof typeof starters;
type InfoOf<N extends Name> = Awaited<ReturnType<(typeof starters)[N]>>['info'];

/** The address at which mocha's process answers requests for shared servers. */
const addressVariable = 'KW_TEST_SERVERS';

const started = new Map<Name, Promise<SharedServer<unknown>>>();
const asked = new Map<Name, Promise<unknown>>();

/** Returns the connection data of a shared server. Starts it on first use. */
export function shared<N extends Name>(name: N): Promise<InfoOf<N>> {
  const address = process.env[addressVariable];
  // A program outside mocha starts its own servers.
  const ask = async (): Promise<unknown> => (address === undefined ? start(name) : askAt(address, name));
  if (!asked.has(name)) asked.set(name, ask());
  return asked.get(name) as Promise<InfoOf<N>>;
}

/** Answers `shared` in this process and in those that it forks from now on. Returns a function that ends this. */
export async function serveShared(): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    start((request.url ?? '').slice(1) as Name).then(
      (info) => response.end(JSON.stringify(info)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  process.env[addressVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    Reflect.deleteProperty(process.env, addressVariable);
    server.closeAllConnections();
    server.close();
    await stopShared();
  };
}

/** Stops the servers that this process started. */
export async function stopShared(): Promise<void> {
  const servers = await Promise.allSettled(started.values());
  started.clear();
  asked.clear();
  for (const server of servers) if (server.status === 'fulfilled') await server.value.stop();
}

async function start(name: Name): Promise<unknown> {
  if (!started.has(name)) started.set(name, starters[name]());
  return (await started.get(name)!).info;
}

async function askAt(address: string, name: Name): Promise<unknown> {
  const answer = await fetch(`${address}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The tests' ${name} did not start: ${text}`);
  return JSON.parse(text);
}
