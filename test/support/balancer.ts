import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What stands in front of replicas of the API, such as an ingress: plain, and with nothing hidden. */
export interface Balancer {
  readonly url: string;
  /** The replicas that said when they were last asked that they are ready. */
  readonly ready: () => readonly string[];
  /** What became of requests that a replica took and did not answer; they are never sent again. */
  readonly failures: () => readonly string[];
  stop(): Promise<void>;
}

const lookEveryMs = 50;

/**
 * Passes requests on to those of the replicas that are ready, in turn, over connections that are kept; bodies pass as
 * they come. What was refused at connect goes to the next one.
 */
export async function startBalancer(replicas: readonly string[]): Promise<Balancer> {
  const ready = new Set<string>();
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const over = new AbortController();
  let turn = 0;

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const first = turn++;
    const order = replicas.map((_, at) => replicas[(first + at) % replicas.length]!);
    for (const replica of [...order.filter((each) => ready.has(each)), ...order]) {
      const { method = 'GET', url = '/', headers } = incoming;
      const sent = request(new URL(url, replica), { method, headers, agent });
      sent.on('error', () => undefined);
      if (!(await connected(sent))) continue;
      try {
        incoming.pipe(sent);
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        const { connection: _hop, 'keep-alive': _too, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 0, kept);
        for await (const part of answer) outgoing.write(part);
        outgoing.end();
      } catch (error) {
        failures.push(`${method} ${url}: ${String(error)}`);
        outgoing.destroy();
      }
      return;
    }
    failures.push(`${incoming.url}: no replica takes it`);
    outgoing.destroy();
  };

  const look = async (replica: string): Promise<void> => {
    while (!over.signal.aborted) {
      const isReady = await fetch(`${replica}/health/ready`, { signal: over.signal }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(replica);
      else ready.delete(replica);
      await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };

  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing)).listen(0, '127.0.0.1');
  // Longer than a client of a busy machine may pause: it would send on a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  const looking = Promise.all(replicas.map(look));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    failures: () => failures,
    async stop() {
      over.abort();
      await looking;
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Whether a request has a connection to be sent over; false: it was refused. */
async function connected(sent: ClientRequest): Promise<boolean> {
  const [socket] = await once(sent, 'socket');
  if (!socket.connecting) return true;
  return await new Promise((resolve) => {
    sent.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true));
  });
}
