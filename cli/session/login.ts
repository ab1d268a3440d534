import { text as readText } from 'node:stream/consumers';

import { onInterrupt } from '../command.js';
import { CommandError, UsageError } from '../exit.js';
import { baseUrl, isUnprotected } from '../service/address.js';
import { ApiError, listPages } from '@knowledge-warehouse/client';
import { createClient } from '../service/client.js';
import { readCredentials, withKey, withoutKey, writeCredentials } from '../service/credentials.js';
import { readClientEnvironment } from '../service/environment.js';
import { checkKey } from '../service/find-service.js';
import { ask, canAsk } from '../terminal/ask.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** `kw login`: stores a key after the service has accepted it. */
export async function login(given: string | undefined): Promise<void> {
  const { url: fromEnvironment, credentialsFile } = readClientEnvironment();
  const stored = readCredentials(credentialsFile);
  const known = given ?? fromEnvironment ?? stored.current;
  if (known === null && !canAsk()) throw new UsageError('Missing service URL: kw login URL');
  const url = baseUrl(known ?? (await ask('URL of the service: ')).trim());
  if (isUnprotected(url)) say(`Warning: ${url} is not https: the key is sent unencrypted.`);
  const apiKey = checkKey(
    canAsk() ? await ask(`API key for ${url}: `, { hidden: true }) : await readText(process.stdin),
  );
  await tryKey(url, apiKey);
  writeCredentials(credentialsFile, withKey(stored, url, apiKey));
  say(`Logged in to ${url}. The key is in ${credentialsFile}.`);
}

/** Throws CommandError if the service does not accept the key for reading, and Unreachable. */
async function tryKey(url: string, apiKey: string): Promise<void> {
  const interruption = onInterrupt();
  const { signal } = interruption;
  const client = createClient({ url, apiKey, workflowsUrl: null }, { signal, patience: { tries: 3 } });
  try {
    await listPages((query) => client.GET('/resources', { params: { query } }), 1).next();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    // Check the code, because a proxy may answer with the same status.
    if (error.code === 'UNAUTHENTICATED')
      throw new CommandError(`${url} does not accept this key. Nothing was stored.`);
    if (error.code === 'FORBIDDEN')
      throw new CommandError(
        'This key may not read: "kw" needs a key with the scope read, write or admin. Nothing was stored.',
      );
    throw error;
  } finally {
    interruption.end();
    await client.close();
  }
}

/** `kw logout`. */
export function logout(given: string | undefined): void {
  const { credentialsFile } = readClientEnvironment();
  const stored = readCredentials(credentialsFile);
  const url = given === undefined ? stored.current : baseUrl(given);
  if (url === null || stored.services[url] === undefined)
    throw new CommandError(url === null ? 'You are not logged in.' : `You are not logged in to ${url}.`);
  const left = withoutKey(stored, url);
  writeCredentials(credentialsFile, left);
  say(`Logged out of ${url}.${left.current === null ? '' : ` The current service is now ${left.current}.`}`);
}
