import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What a proxy does with connections and bytes. pass: hands them on; delay: hands on what the server says late; deafen:
 * hands on what the client says and drops what the server says, its farewell too; hang: takes connections and hands on
 * nothing; refuse: nothing listens.
 */
export type ProxyMode = 'pass' | 'deafen' | 'hang' | 'refuse' | { readonly delayMs: number };

/** A TCP proxy in front of a server, by which a test takes the network between two parts away. */
export interface Proxy {
  /** host:port */
  readonly address: string;
  /** Changes what it does, on connections that are open too; `refuse` cuts them. */
  set(mode: ProxyMode): Promise<void>;
  /** Cuts the connections that are open. Returns how many there were. */
  cut(): number;
  /** Bytes of clients that came while it did anything but pass them on: they show that a fault was met. */
  readonly caught: () => number;
  stop(): Promise<void>;
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<Proxy> {
  const open = new Set<Socket>();
  let mode: ProxyMode = 'pass';
  let caught = 0;
  let server: Server | null = null;
  let port = 0;
  /** Clients that have not heard that their server has gone. */
  const orphaned = new Set<Socket>();
  const isHeard = (): boolean => mode !== 'deafen' && mode !== 'hang';

  const serve = (client: Socket): void => {
    const upstream = connect(target);
    // What the server says, its farewell too, takes its time.
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

/** A proxy in front of what a URL or a host:port names. */
export async function proxyTo(address: string): Promise<Proxy> {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  return await startProxy({ host: hostname, port: Number(port) });
}
