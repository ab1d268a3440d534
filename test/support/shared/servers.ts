import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is started once for a whole run of the tests, in however many processes. */
export interface SharedServer<Info> {
  /** How to reach it. It is sent to the processes of the tests as JSON. */
  readonly info: Info;
  stop(): Promise<void>;
}

/** Loaded when somebody asks for one: a test that needs none loads none. */
const starters = {
  postgres: async () => (await import('./postgres.js')).startSharedPostgres(),
  temporal: async () => (await import('./temporal.js')).startSharedTemporal(),
  chromium: async () => (await import('./chromium.js')).startSharedChromium(),
} as const;

type Name = keyof typeof starters;
type InfoOf<N extends Name> = Awaited<ReturnType<(typeof starters)[N]>>['info'];

/** Where the processes of the tests ask for shared servers; the process that runs mocha answers. */
const addressVariable = 'KW_TEST_SERVERS';

const started = new Map<Name, Promise<SharedServer<unknown>>>();
const asked = new Map<Name, Promise<unknown>>();

/** How to reach a shared server. The first who asks has it started. */
export function shared<N extends Name>(name: N): Promise<InfoOf<N>> {
  const address = process.env[addressVariable];
  // A program that is run without mocha has them to itself.
  const ask = async (): Promise<unknown> => (address === undefined ? start(name) : askAt(address, name));
  if (!asked.has(name)) asked.set(name, ask());
  return asked.get(name) as Promise<InfoOf<N>>;
}

/** Answers what `shared` asks in this process and in those that it forks from now on. Returns what ends that. */
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

/** Stops what this process has started. */
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
