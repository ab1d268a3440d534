import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * The behaviour of a proxy. pass: forwards; delay: forwards the server's data late; deafen: forwards the client's data
 * and drops the server's, including its close; hang: accepts connections and forwards nothing; refuse: does not listen.
 */
export type ProxyMode = 'pass' | 'deafen' | 'hang' | 'refuse' | { readonly delayMs: number };

/** A TCP proxy in front of a server, with which tests simulate network faults. */
export interface Proxy {
  /** host:port */
  readonly address: string;
  /** Changes its mode, also for open connections; `refuse` cuts them. */
  set(mode: ProxyMode): Promise<void>;
  /** Cuts all open connections. Returns their number. */
  cut(): number;
  /** Bytes that clients sent in any mode except `pass`. They prove that a fault took effect. */
  readonly caught: () => number;
  stop(): Promise<void>;
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<Proxy> {
  const open = new Set<Socket>();
  let mode: ProxyMode = 'pass';
  let caught = 0;
  let server: Server | null = null;
  let port = 0;
  /** Clients that do not know yet that the server has closed the connection. */
  const orphaned = new Set<Socket>();
  const isHeard = (): boolean => mode !== 'deafen' && mode !== 'hang';

  const serve = (client: Socket): void => {
    const upstream = connect(target);
    // Delays the server's data, including its close.
    const later = (work: () => void): void => {
      if (typeof mode === 'object') setTimeout(work, mode.delayMs);
      else work();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
    client
      .on('data', (bytes) => {
        if (mode !== 'pass') caught += bytes.length;
        if (mode !== 'hang') upstream.write(bytes);
      })
      .on('end', () => upstream.end())
      .on('close', () => upstream.destroy());
    upstream
      .on('data', (bytes) => {
        if (isHeard()) later(() => client.writable && client.write(bytes));
      })
      .on('end', () => isHeard() && later(() => client.end()))
      .on('close', () => (isHeard() ? later(() => client.destroySoon()) : orphaned.add(client)));
    client.on('close', () => orphaned.delete(client));
  };
  const cut = (): number => {
    const count = open.size / 2;
    for (const socket of open) socket.destroy();
    return count;
  };
  const listen = async (): Promise<void> => {
    const listening = createServer(serve);
    await new Promise<void>((done, failed) =>
      listening.once('error', failed).listen(port, '127.0.0.1', done),
    );
    ({ port } = listening.address() as AddressInfo);
    server = listening;
  };
  const close = async (): Promise<void> => {
    const closing = server;
    server = null;
    if (closing !== null) await new Promise((closed) => (closing.close(closed), cut()));
  };
  await listen();
  return {
    address: `127.0.0.1:${port}`,
    async set(next) {
      mode = next;
      if (isHeard()) for (const client of orphaned) client.destroy();
      if (next === 'refuse') await close();
      else if (server === null) await listen();
    },
    cut,
    caught: () => caught,
    stop: close,
  };
}

/** Starts a proxy in front of a URL or a host:port. */
export async function proxyTo(address: string): Promise<Proxy> {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  return await startProxy({ host: hostname, port: Number(port) });
}
