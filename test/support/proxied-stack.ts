import { reservePort } from './ports.js';
import { startProxy, type Proxy } from './proxy.js';
import { startStack, type StackOptions, type TestStack } from './stack.js';

/** A whole service, and a proxy before it by which a test takes the network away from browsers alone. */
export interface ProxiedStack {
  /** Reached directly. */
  readonly stack: TestStack;
  readonly proxy: Proxy;
  /** What the browser sees of it. */
  readonly front: { readonly api: string; readonly adminKey: string };
  stop(): Promise<void>;
}

export async function startProxiedStack(options: StackOptions = {}): Promise<ProxiedStack> {
  const port = await reservePort();
  const proxy = await startProxy({ host: '127.0.0.1', port });
  const api = `http://${proxy.address}`;
  // A session is good at the address alone that the service is known by.
  const stack = await startStack({ ...options, port, env: { KW_PUBLIC_URL: api, ...options.env } });
  return {
    // It calls itself by the address that it is known by.
    stack: { ...stack, api: `http://127.0.0.1:${port}` },
    proxy,
    front: { api, adminKey: stack.adminKey },
    async stop() {
      await Promise.all([stack.stop(), proxy.stop()]);
    },
  };
}
