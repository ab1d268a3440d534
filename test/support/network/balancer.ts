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

/** A minimal load balancer in front of API replicas, like an ingress. */
export interface Balancer {
  readonly url: string;
  /** The replicas that reported ready in the last check. */
  readonly ready: () => readonly string[];
  /** The errors of requests that a replica accepted but did not answer. They are never retried. */
  readonly failures: () => readonly string[];
  stop(): Promise<void>;
}

const lookEveryMs = 50;

/**
 * Starts a balancer that forwards requests to ready replicas in turn, over keep-alive connections, and streams bodies.
 * Retries a refused connection on the next replica.
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
  // Longer than a client on a busy machine may pause. Otherwise it could use a connection that is just being closed.
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

/** Whether a request got a connection; false: it was refused. */
async function connected(sent: ClientRequest): Promise<boolean> {
  const [socket] = await once(sent, 'socket');
  if (!socket.connecting) return true;
  return await new Promise((resolve) => {
    sent.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true));
  });
}
