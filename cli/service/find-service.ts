import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseJson } from '@knowledge-warehouse/plugin/protocol';
import { CommandError, UsageError } from '../exit.js';
import { baseUrl, isLoopback } from './address.js';
import { readCredentials } from './credentials.js';
import type { ClientEnvironment } from './environment.js';

/** The service to call, and the key to use. */
export interface Service {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  /** The URL of the workflows in its Temporal Web UI; null if unknown. */
  readonly workflowsUrl: string | null;
}

/** Options of the command line. They never contain keys, which other users could see. */
export interface ServiceFlags {
  readonly url?: string;
  readonly keyFile?: string;
}

/** The options of a command that can also print the API's JSON. */
export interface JsonFlags extends ServiceFlags {
  readonly json?: boolean;
}

type LocalStack = Omit<Service, 'apiKey'> & { readonly apiKey: string | null };

/**
 * Finds the service to call by the flags, by KW_URL and KW_API_KEY, by `kw login`, or by the `npm start` of
 * this folder, in this order. A stored key and this folder's key are used only for their own service.
 *
 * @throws UsageError if the URL is not known, CommandError if the key is not known
 */
export function findService(flags: ServiceFlags, env: ClientEnvironment): Service {
  const stored = readCredentials(env.credentialsFile);
  const { local, problem } = findLocalStack(env);
  const given = flags.url ?? env.url;
  const url = given === null ? (stored.current ?? local?.url) : baseUrl(given);
  if (url === undefined) {
    if (problem !== null) throw problem;
    throw new UsageError(
      'The URL of the service is not known: log in with "kw login URL", set KW_URL, or run "npm start" in this folder.',
    );
  }
  const here = local?.url === url ? local : null;
  const apiKey =
    (flags.keyFile === undefined ? env.apiKey : readKeyFile(flags.keyFile)) ??
    stored.services[url]?.api_key ??
    here?.apiKey;
  if (apiKey === undefined || apiKey === null) {
    if (problem !== null && isLoopback(url)) throw problem;
    throw new CommandError(`There is no key for ${url}: log in with "kw login ${url}", or set KW_API_KEY.`);
  }
  return { url, apiKey: checkKey(apiKey), workflowsUrl: here?.workflowsUrl ?? null };
}

/** Checks that a key can be sent in a header. Throws CommandError otherwise. */
export function checkKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CommandError(key === '' ? 'The key is empty.' : 'This is not an API key: a key is one word.');
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`--key-file: ${(error as Error).message}`);
  }
}

/** Finds the `npm start` of this folder, or the reason why it cannot be found, which matters only where it is needed. */
function findLocalStack({ dataDir }: ClientEnvironment): {
  readonly local: LocalStack | null;
  readonly problem: CommandError | null;
} {
  try {
    return { local: readLocalStack(dataDir()), problem: null };
  } catch (error) {
    if (error instanceof CommandError) return { local: null, problem: error };
    throw error;
  }
}

/** What a running `npm start` reports about itself. Throws CommandError if its file is damaged. */
function readLocalStack(dataDir: string): LocalStack | null {
  const read = (name: string): string | null => {
    try {
      return readFileSync(join(dataDir, name), 'utf8').trim();
    } catch {
      return null;
    }
  };
  const text = read('stack.json');
  if (text === null) return null;
  const stack = parseJson(text) as Partial<StackFile> | null | undefined;
  if (typeof stack?.api !== 'string')
    throw new CommandError(`${join(dataDir, 'stack.json')} is damaged: run "npm start" again.`);
  const { api, temporal_ui: ui, temporal_namespace: namespace } = stack as StackFile;
  return {
    url: api,
    apiKey: read('admin-key'),
    workflowsUrl: ui === null ? null : `${ui}/namespaces/${namespace}/workflows`,
  };
}

interface StackFile {
  readonly api: string;
  readonly temporal_ui: string | null;
  readonly temporal_namespace: string;
}
