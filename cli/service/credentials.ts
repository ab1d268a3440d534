import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { CommandError } from '../exit.js';

/** What `kw login` stored: a key per service, and which service is the default. */
export interface Credentials {
  readonly current: string | null;
  readonly services: Readonly<Record<string, { readonly api_key: string }>>;
}

const none: Credentials = { current: null, services: {} };

/** Reads the stored keys; none if there is no file. Throws CommandError if the file is invalid. */
export function readCredentials(file: string): Credentials {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return none;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { current, services } = JSON.parse(text) as Partial<Credentials>;
    return { current: current ?? null, services: services ?? {} };
  } catch {
    throw new CommandError(`${file} was not written by "kw login". Remove it and log in again.`);
  }
}

/** Writes the stored keys atomically, readable only by their owner. */
export function writeCredentials(file: string, credentials: Credentials): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Adds a key and makes its service the current one. */
export function withKey({ services }: Credentials, url: string, apiKey: string): Credentials {
  return { current: url, services: { ...services, [url]: { api_key: apiKey } } };
}

/** Removes the key of a service. */
export function withoutKey({ current, services }: Credentials, url: string): Credentials {
  const left = Object.fromEntries(Object.entries(services).filter(([known]) => known !== url));
  return { current: current === url ? (Object.keys(left)[0] ?? null) : current, services: left };
}
