import type { PluginLog } from '../types.js';

/** Options of both kinds of worker. Omitted ones come from the environment, then from the stack on this machine. */
export interface WorkerOptions {
  /** Core's base URL. Default: KW_URL, then the `api` of `stack.json` in KW_DATA_DIR (`.kw`). */
  readonly url?: string;
  /** A plugin's key or an admin's. Default: KW_API_KEY, then, for the stack of this machine, its `admin-key`. */
  readonly apiKey?: string;
  /**
   * Maximum number of concurrent attempts; 10 by default. An activity worker has this many for each task queue: give all
   * plugins one `taskQueue` to limit them together.
   */
  readonly concurrency?: number;
  /** Seconds that attempts may continue after a stop request before their `signal` aborts; 5 by default, at least 1. */
  readonly graceSeconds?: number;
  /** Stops the worker when it aborts, like SIGINT and SIGTERM. */
  readonly signal?: AbortSignal;
  /** The log of the worker and its plugins; standard error by default. */
  readonly log?: PluginLog;
}

/** How to reach Temporal over TLS, as in Temporal's own SDK. True uses the system's certificate authorities. */
export type TemporalTls =
  | boolean
  | {
      readonly serverNameOverride?: string;
      readonly serverRootCACertificate?: Buffer;
      readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
    };

export interface ActivityWorkerOptions extends WorkerOptions {
  /** One task queue for all plugins; by default `kw-plugin-{id}` for each. */
  readonly taskQueue?: string;
  /** How to reach Temporal. Default: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and TEMPORAL_TLS…. */
  readonly temporal?: {
    readonly address?: string;
    readonly namespace?: string;
    readonly apiKey?: string;
    readonly tls?: TemporalTls;
  };
}

export interface HttpWorkerOptions extends WorkerOptions {
  /** Address to listen on. Default: HOST, then 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on, 0 for a free one. Default: PORT, then 8090. */
  readonly port?: number;
  /**
   * The base URL at which Core reaches this worker: each plugin is registered as `{endpoint}/{id}`. Default:
   * KW_ENDPOINT, then the address and port it listens on.
   */
  readonly endpoint?: string;
  /**
   * The plugins' signing secret, or several during a change. Default: KW_SIGNING_SECRET. If set, plugins are not
   * registered.
   */
  readonly signingSecret?: string | readonly string[];
  /** Folder for the secrets that registrations return, `{the service's host}/{plugin id}`; `.kw-secrets` by default. */
  readonly secretsFolder?: string;
}
