import { reservePort } from '../servers/ports.js';
import { startProxy, type Proxy } from '../network/proxy.js';
import { startStack, type StackOptions, type TestStack } from './stack.js';

/** A whole service, and a proxy that lets a test disconnect only browsers. */
export interface ProxiedStack {
  /** Bypasses the proxy. */
  readonly stack: TestStack;
  readonly proxy: Proxy;
  /** The service behind the proxy, for the browser. */
  readonly front: { readonly api: string; readonly adminKey: string };
  stop(): Promise<void>;
}

export async function startProxiedStack(options: StackOptions = {}): Promise<ProxiedStack> {
  const port = await reservePort();
  const proxy = await startProxy({ host: '127.0.0.1', port });
  const api = `http://${proxy.address}`;
  // A session is only valid at the public URL.
  const stack = await startStack({ ...options, port, env: { KW_PUBLIC_URL: api, ...options.env } });
  return {
    // The stack reports its public URL, so replace it with the direct address.
    stack: { ...stack, api: `http://127.0.0.1:${port}` },
    proxy,
    front: { api, adminKey: stack.adminKey },
    async stop() {
      await Promise.all([stack.stop(), proxy.stop()]);
    },
  };
}
