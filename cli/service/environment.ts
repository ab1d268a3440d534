import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { parseUrl } from '@knowledge-warehouse/plugin/protocol';

import { CommandError, UsageError } from '../exit.js';

// oxlint-disable-next-line no-restricted-properties -- a client runs apart from the service, with settings of its own
const env = (): NodeJS.ProcessEnv => process.env;

/** The environment settings of a client, which belong to the user and not to the service. */
export interface ClientEnvironment {
  readonly url: string | null;
  readonly apiKey: string | null;
  /** The file in which `kw login` stores keys. */
  readonly credentialsFile: string;
  /** Returns the data directory of the `npm start` in this folder. Throws CommandError if `.env` cannot be read. */
  readonly dataDir: () => string;
}

/** Reads KW_URL, KW_API_KEY, XDG_CONFIG_HOME and KW_DATA_DIR; the last one also from `.env`, as `npm start` does. */
export function readClientEnvironment(): ClientEnvironment {
  const setting = (name: string): string | null => env()[name]?.trim() || null;
  const configHome = setting('XDG_CONFIG_HOME') ?? join(homedir(), '.config');
  return {
    url: setting('KW_URL'),
    apiKey: setting('KW_API_KEY'),
    credentialsFile: join(configHome, 'knowledge-warehouse', 'credentials.json'),
    dataDir: () => resolve(setting('KW_DATA_DIR') ?? dataDirOfFile() ?? '.kw'),
  };
}

/** The URLs of the proxies for http and https; one is empty if it is not set. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
}

/**
 * Reads HTTP_PROXY and HTTPS_PROXY, whose names may be in lower case; null without a proxy. As for curl, a proxy without
 * a scheme is one for http.
 *
 * @throws UsageError if one is not the URL of a proxy
 */
export function readProxies(): Proxies | null {
  const proxies = { httpProxy: proxyIn('http_proxy'), httpsProxy: proxyIn('https_proxy') };
  return proxies.httpProxy === '' && proxies.httpsProxy === '' ? null : proxies;
}

function proxyIn(lowerCase: string): string {
  const name = env()[lowerCase] === undefined ? lowerCase.toUpperCase() : lowerCase;
  const text = env()[name]?.trim() ?? '';
  if (text === '') return '';
  const url = parseUrl(text.includes('://') ? text : `http://${text}`);
  // The value may contain a password.
  if (url === null || !/^(https?|socks5?):$/.test(url.protocol))
    throw new UsageError(`${name} is not the URL of a proxy, such as http://proxy.example.com:3128.`);
  return url.href;
}

function dataDirOfFile(): string | null {
  try {
    // Reading a named pipe would wait for its writer.
    if (statSync('.env', { throwIfNoEntry: false })?.isFile() !== true) return null;
    return parseEnv(readFileSync('.env', 'utf8'))['KW_DATA_DIR']?.trim() || null;
  } catch (error) {
    throw new CommandError(`.env cannot be read: ${(error as Error).message}`);
  }
}
