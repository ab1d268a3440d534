import { Agent, EnvHttpProxyAgent, Pool, request, type Dispatcher } from 'undici';

import type { Proxies } from './environment.js';
import type { Sender } from './sender.js';

/** Sends requests through the proxies, except to hosts in NO_PROXY; directly if `proxies` is null. */
export function createUndiciSender(proxies: Proxies | null): Sender {
  const dispatcher = proxies === null ? new Agent() : new EnvHttpProxyAgent({ ...proxies, clientFactory });
  return {
    close: () => dispatcher.destroy(),
    send: (url, options) => request(url, { ...options, dispatcher }),
  };
}

/**
 * Makes the connections to a proxy. If a proxy cuts off a CONNECT, undici 7 repeats it without a pause and without an end
 * (https://github.com/nodejs/undici/issues/3897), unless the error has another code than the one for closed sockets.
 */
function clientFactory(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (to: Dispatcher.ConnectOptions) =>
      connect(to).catch((cause: unknown) => {
        if ((cause as { code?: string }).code !== 'UND_ERR_SOCKET') throw cause;
        const error = new Error(`the proxy ${origin.host} closed the connection`, { cause });
        throw Object.assign(error, { code: 'UND_ERR_PRX_CONN' });
      }),
  });
}
