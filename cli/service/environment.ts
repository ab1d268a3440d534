import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** The environment settings of a client, which belong to the user and not to the service. */
export interface ClientEnvironment {
  readonly url: string | null;
  readonly apiKey: string | null;
  /** The file in which `kw login` stores keys. */
  readonly credentialsFile: string;
  /** The data directory of the `npm start` in this folder. */
  readonly dataDir: string;
}

/**
 * Reads KW_URL, KW_API_KEY, XDG_CONFIG_HOME and KW_DATA_DIR; the last one also from `.env`, as `npm start`
 * does.
 */
export function readClientEnvironment(): ClientEnvironment {
  // oxlint-disable-next-line no-restricted-properties -- a client runs apart from the service, with settings of its own
  const { env } = process;
  const setting = (name: string): string | null => env[name]?.trim() || null;
  const configHome = setting('XDG_CONFIG_HOME') ?? join(homedir(), '.config');
  return {
    url: setting('KW_URL'),
    apiKey: setting('KW_API_KEY'),
    credentialsFile: join(configHome, 'knowledge-warehouse', 'credentials.json'),
    dataDir: resolve(setting('KW_DATA_DIR') ?? dataDirOfFile() ?? '.kw'),
  };
}

function dataDirOfFile(): string | null {
  if (!existsSync('.env')) return null;
  return parseEnv(readFileSync('.env', 'utf8'))['KW_DATA_DIR']?.trim() || null;
}
