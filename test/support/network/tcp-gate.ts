import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy between a client and a server that can simulate a hung or missing server. */
export interface TcpGate {
  readonly port: number;
  /** The number of attempted connections, whether successful or not. */
  readonly tries: number;
  /** `open`: bytes pass. `gone`: every connection is cut. `hung`: connections are accepted and nothing is forwarded. */
  set(state: 'open' | 'gone' | 'hung'): void;
  close(): Promise<void>;
}

/** Opens a gate on a free port of 127.0.0.1 in front of the server at this URL. */
export async function openGate(target: string): Promise<TcpGate> {
  const { hostname, port } = new URL(target);
  let state: Parameters<TcpGate['set']>[0] = 'open';
  let tries = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (state === 'hung') socket.pause();
  };
  const server = createServer((near) => {
    tries += 1;
    if (state === 'gone') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    keep(near);
    keep(far);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    get tries() {
      return tries;
    },
    set(next) {
      state = next;
      for (const socket of sockets) {
        if (state === 'gone') socket.resetAndDestroy();
        else if (state === 'hung') socket.pause();
        else socket.resume();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
