import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { messageOf } from '../../core/errors.js';
import { splitAddress } from '../metrics/server.js';
import type { TemporalConfig } from '../settings/config.js';

const patienceMs = 5_000;

/**
 * The network error that prevents a connection to Temporal; null if there is none. gRPC itself retries until its
 * deadline and then only reports that.
 */
export async function tryConnection(config: TemporalConfig): Promise<string | null> {
  const { host, port } = splitAddress(config.address);
  let socket: Socket;
  try {
    socket = config.tls === null ? connect({ host, port }) : openTls(host, port, config.tls);
  } catch (error) {
    return messageOf(error);
  }
  try {
    return await new Promise<string | null>((resolve) => {
      socket
        .once(config.tls === null ? 'connect' : 'secureConnect', () => resolve(null))
        .once('error', (error) => resolve(messageOf(error)))
        .setTimeout(patienceMs, () => resolve('it does not answer in time'));
    });
  } finally {
    socket.destroy();
  }
}

function openTls(host: string, port: number, tls: NonNullable<TemporalConfig['tls']>): Socket {
  const read = (file: string | undefined): Buffer | undefined =>
    file === undefined ? undefined : readFileSync(file);
  const name = tls.serverName ?? host;
  return connectTls({
    host,
    port,
    ca: read(tls.caFile),
    cert: read(tls.certFile),
    key: read(tls.keyFile),
    ALPNProtocols: ['h2'],
    ...(isIP(name) === 0 && { servername: name }),
  });
}
