import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { parseServiceUrl } from '../protocol/service-url.js';
import { messageOf, parseUrl } from '../protocol/text.js';
import { isSigningSecret } from '../signing.js';
import type { ActivityWorkerOptions, HttpWorkerOptions, WorkerOptions } from './options.js';

// oxlint-disable-next-line no-restricted-properties -- workers run outside the service and have their own settings
const environment = process.env;

const setting = (name: string): string | undefined => environment[name]?.trim() || undefined;

/** How a worker reaches Core. */
export interface CoreAddress {
  /** Has no trailing slash. */
  readonly url: string;
  readonly apiKey: string;
}

export interface TemporalAddress {
  readonly connection: NativeConnectionOptions;
  readonly namespace: string;
}

/** The description of a stack that runs on this machine. */
interface LocalStack {
  readonly api?: string;
  readonly temporal_address?: string;
  readonly temporal_namespace?: string;
}

const dataFolder = (): string => setting('KW_DATA_DIR') ?? '.kw';

function readLocal(name: string): string | undefined {
  try {
    return readFileSync(join(dataFolder(), name), 'utf8').trim();
  } catch {
    return undefined;
  }
}

const localStack = (): LocalStack => JSON.parse(readLocal('stack.json') ?? '{}') as LocalStack;

function coreUrl(text: string): string {
  try {
    return parseServiceUrl(text);
  } catch (error) {
    throw new RangeError(`The service's URL (option url, KW_URL or stack.json): ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Returns Core's URL and key, or null if either is unknown. Throws a RangeError for a bad URL. */
function findCore(options: WorkerOptions): CoreAddress | null {
  const local = localStack().api;
  const given = options.url ?? setting('KW_URL') ?? local;
  if (given === undefined) return null;
  const url = coreUrl(given);
  // The key of this machine's stack is sent only to that stack.
  const isLocal = (): boolean => local !== undefined && url === coreUrl(local);
  const apiKey = options.apiKey ?? setting('KW_API_KEY') ?? (isLocal() ? readLocal('admin-key') : undefined);
  return apiKey === undefined ? null : { url, apiKey };
}

/** Like `findCore`, but throws an Error that names the missing settings. */
export function requireCore(options: WorkerOptions): CoreAddress {
  const core = findCore(options);
  if (core !== null) return core;
  throw new Error(
    `Set KW_URL and KW_API_KEY so that this worker can find the service, or start one here with "npm start", which writes its addresses to ${join(dataFolder(), 'stack.json')}.`,
  );
}

/** Returns how to reach Temporal. Throws an Error that names the missing settings. */
export function requireTemporal({ temporal = {} }: ActivityWorkerOptions): TemporalAddress {
  const stack = localStack();
  const address = temporal.address ?? setting('TEMPORAL_ADDRESS') ?? stack.temporal_address;
  if (address === undefined)
    throw new Error('Set TEMPORAL_ADDRESS to the host:port of the Temporal that the service uses.');
  const apiKey = temporal.apiKey ?? setting('TEMPORAL_API_KEY');
  return {
    connection: {
      address,
      ...(apiKey !== undefined && { apiKey }),
      tls: temporal.tls ?? tlsFromEnvironment(apiKey !== undefined),
    },
    namespace: temporal.namespace ?? setting('TEMPORAL_NAMESPACE') ?? stack.temporal_namespace ?? 'default',
  };
}

function tlsFromEnvironment(withApiKey: boolean): NativeConnectionOptions['tls'] {
  const file = (name: string): Buffer | undefined => {
    const path = setting(name);
    return path === undefined ? undefined : readFileSync(path);
  };
  const serverName = setting('TEMPORAL_TLS_SERVER_NAME');
  const authorities = file('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const crt = file('TEMPORAL_TLS_CLIENT_CERT_PATH');
  const key = file('TEMPORAL_TLS_CLIENT_KEY_PATH');
  const details = {
    ...(serverName !== undefined && { serverNameOverride: serverName }),
    ...(authorities !== undefined && { serverRootCACertificate: authorities }),
    ...(crt !== undefined && key !== undefined && { clientCertPair: { crt, key } }),
  };
  const wanted = setting('TEMPORAL_TLS');
  if (wanted !== undefined && !/^(true|1|yes|on)$/i.test(wanted)) return false;
  return wanted !== undefined || withApiKey || Object.keys(details).length > 0 ? details : false;
}

/**
 * Returns where an HTTP worker listens, where Core reaches it, and its configured secrets. Throws a RangeError for a
 * bad PORT, KW_ENDPOINT or KW_SIGNING_SECRET.
 */
export function listenSettings(options: HttpWorkerOptions): {
  readonly host: string;
  readonly port: number;
  readonly endpoint: string | undefined;
  readonly secrets: readonly string[];
  readonly secretsFolder: string;
} {
  const port = options.port ?? Number(setting('PORT') ?? 8090);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new RangeError('PORT must be 0 to 65535.');
  const secrets = [options.signingSecret ?? setting('KW_SIGNING_SECRET')?.split(/[\s,]+/) ?? []].flat();
  if (!secrets.every(isSigningSecret))
    throw new RangeError(
      'KW_SIGNING_SECRET must be whsec_ followed by at least 16 bytes in base64, as in the registration of the plugin.',
    );
  const endpoint = (options.endpoint ?? setting('KW_ENDPOINT'))?.replace(/\/+$/, '');
  if (endpoint !== undefined && !isBaseUrl(endpoint))
    throw new RangeError(
      `KW_ENDPOINT must be an http or https URL without "?" and "#"; /{plugin id} is appended to it: ${endpoint}`,
    );
  return {
    host: options.host ?? setting('HOST') ?? '127.0.0.1',
    port,
    endpoint,
    secrets,
    secretsFolder: options.secretsFolder ?? '.kw-secrets',
  };
}

const isBaseUrl = (text: string): boolean => /^https?:\/\/[^?#]+$/.test(text) && parseUrl(text) !== null;

/** The minimum level to log: KW_LOG_LEVEL, or else info. */
export const logLevel = (): string => setting('KW_LOG_LEVEL') ?? 'info';

const pollWait = 'TEMPORAL_POLL_SHUTDOWN_INTERRUPT_WAIT_MS';
/** What this module set; null before. */
let ownWaitMs: number | null = null;

/**
 * Makes Temporal's core end the open polls of new workers two seconds after a stop, or after half of their grace period
 * if that is shorter: a poll that ends just when a busy server answers it loses its task until the heartbeat timeout.
 * Under load, most polls get a task before that. The core reads only this variable. A value from outside is kept.
 */
export function setPollShutdownWait(graceMs: number): void {
  const given = environment[pollWait];
  if (given !== undefined && given !== String(ownWaitMs)) return;
  // Workers of one process share it.
  ownWaitMs = Math.min(ownWaitMs ?? 2_000, Math.floor(graceMs / 2));
  environment[pollWait] = String(ownWaitMs);
}
