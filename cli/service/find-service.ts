import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../exit.js';
import { baseUrl } from './address.js';
import { readCredentials } from './credentials.js';
import type { ClientEnvironment } from './environment.js';

/** Which service to call, and as whom. */
export interface Service {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string;
  /** Where its Temporal Web UI shows workflows, where that is known. */
  readonly workflowsUrl: string | null;
}

/** What a person says on the command line. Keys are never there: others see it. */
export interface ServiceFlags {
  readonly url?: string;
  readonly keyFile?: string;
}

interface LocalStack {
  readonly url: string;
  readonly apiKey: string | null;
  readonly workflowsUrl: string | null;
}

/**
 * The service that is meant: by the flags, by KW_URL and KW_API_KEY, by `kw login`, or the one that `npm start` runs in
 * this folder, in this order. A stored key, and the key of this folder's, is used for its own service alone.
 *
 * @throws CommandError when nothing says where it is or which key opens it
 */
export function findService(flags: ServiceFlags, env: ClientEnvironment): Service {
  const stored = readCredentials(env.credentialsFile);
  const local = readLocalStack(env.dataDir);
  const given = flags.url ?? env.url;
  const url = given === null ? (stored.current ?? local?.url) : baseUrl(given);
  if (url === undefined) {
    throw new CommandError(
      'The URL of the service is not known: log in with "kw login URL", set KW_URL, or run "npm start" in this folder.',
    );
  }
  const here = local?.url === url ? local : null;
  const apiKey =
    (flags.keyFile === undefined ? env.apiKey : readKeyFile(flags.keyFile)) ??
    stored.services[url]?.api_key ??
    here?.apiKey;
  if (apiKey === undefined || apiKey === null) {
    throw new CommandError(`There is no key for ${url}: log in with "kw login ${url}", or set KW_API_KEY.`);
  }
  return { url, apiKey: checkKey(apiKey), workflowsUrl: here?.workflowsUrl ?? null };
}

/** A key as it may stand in a header. Throws CommandError for what cannot be one. */
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

/** What `npm start` says of itself while it runs. */
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
  const stack = JSON.parse(text) as Readonly<
    Record<'api' | 'temporal_ui' | 'temporal_namespace', string | null>
  >;
  if (stack.api === null) return null;
  const { temporal_ui: ui, temporal_namespace: namespace } = stack;
  return {
    url: stack.api,
    apiKey: read('admin-key'),
    workflowsUrl: ui === null ? null : `${ui}/namespaces/${namespace ?? 'default'}/workflows`,
  };
}
