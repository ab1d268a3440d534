import type { PluginLog } from '../types.js';

/** What both kinds of worker take. What is left out comes from the environment, then from the stack of this machine. */
export interface WorkerOptions {
  /** Core's base URL; else KW_URL, else the `api` of `stack.json` in KW_DATA_DIR (`.kw`). */
  readonly url?: string;
  /** A plugin's key or an admin's; else KW_API_KEY, else, for the stack of this machine, its `admin-key`. */
  readonly apiKey?: string;
  /** Attempts that are worked on at once, 10 when left out. */
  readonly concurrency?: number;
  /** Seconds that attempts may go on after a stop was asked for, before their `signal` aborts; 5 when left out, 1 at least. */
  readonly graceSeconds?: number;
  /** Stops the worker when it aborts, as SIGINT and SIGTERM do. */
  readonly signal?: AbortSignal;
  /** Where the worker and its plugins log; standard error when left out. */
  readonly log?: PluginLog;
}

/** How to reach Temporal over TLS, as Temporal's own SDK takes it. True: with the system's authorities. */
export type TemporalTls =
  | boolean
  | {
      readonly serverNameOverride?: string;
      readonly serverRootCACertificate?: Buffer;
      readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
    };

export interface ActivityWorkerOptions extends WorkerOptions {
  /** One task queue for all plugins; `kw-plugin-{id}` for each when left out. */
  readonly taskQueue?: string;
  /** How to reach Temporal; else TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and TEMPORAL_TLS…. */
  readonly temporal?: {
    readonly address?: string;
    readonly namespace?: string;
    readonly apiKey?: string;
    readonly tls?: TemporalTls;
  };
}

export interface HttpWorkerOptions extends WorkerOptions {
  /** Address to listen on; else HOST, else 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on, 0 for a free one; else PORT, else 8090. */
  readonly port?: number;
  /**
   * The base URL under which Core reaches this worker: each plugin is registered as `{endpoint}/{id}`. Else
   * KW_ENDPOINT, else the address and port it listens on.
   */
  readonly endpoint?: string;
  /** The plugins' signing secret, or several while it changes; else KW_SIGNING_SECRET. With one, nothing is registered. */
  readonly signingSecret?: string | readonly string[];
  /** Folder that keeps the secrets which registrations answer, one file for each plugin; `.kw-secrets` when left out. */
  readonly secretsFolder?: string;
}
