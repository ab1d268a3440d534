import { isUuid } from '../../core/ids.js';
import type { Config, Environment } from '../../runtime/settings/config.js';
import { readAdminKey } from '../../runtime/embedded/data-dir.js';
import { StartError } from '../../runtime/embedded/start-error.js';
import { findApiKey, findApiKeyById, type ApiKeyRow } from '../../storage/auth/api-keys.js';
import type { Db } from '../../storage/database/connection.js';
import { createLoginLink } from '../../storage/auth/login-links.js';
import { loadOperationConfig } from './running-stack.js';
import { withDatabase } from './with-database.js';

/**
 * Prints a link on its own line that logs a browser in, once, within five minutes.
 *
 * @param options `key`: the id of the key to log in as; default: the admin key in the data directory
 * @throws StartError if there is no such key, or it cannot log in
 */
export async function printLoginLink(
  env: Environment,
  options: { readonly key?: string },
  print: (line: string) => void,
): Promise<void> {
  const config = loadOperationConfig(env, 'keys');
  print(
    await withDatabase(config, async (db) => {
      const key = options.key === undefined ? await findAdminKey(db, config) : await findKey(db, options.key);
      if (key.scopes.every((scope) => scope.startsWith('plugin:'))) {
        throw new StartError(`The key ${key.id} cannot log in: it only has plugin scopes.`);
      }
      return await makeLoginLink(db, config, key);
    }),
  );
}

/** Creates a link that logs a browser in with a key. The token is in the fragment, which browsers do not send. */
export async function makeLoginLink(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  key: ApiKeyRow,
): Promise<string> {
  return `${publicUrl}/login#token=${await createLoginLink(db, key.id)}`;
}

/** Returns the key stored in the data directory. Throws StartError if no valid one exists. */
export async function findAdminKey(db: Db, { dataDir }: Pick<Config, 'dataDir'>): Promise<ApiKeyRow> {
  const kept = readAdminKey(dataDir);
  const key = kept === null ? null : await findApiKey(db, kept);
  if (key !== null) return key;
  throw new StartError(
    `There is no admin key for this database in ${dataDir}: choose a key with --key ID ("kw keys list" shows them).`,
  );
}

async function findKey(db: Db, id: string): Promise<ApiKeyRow> {
  const key = isUuid(id) ? await findApiKeyById(db, id) : null;
  if (key === null) throw new StartError(`There is no valid key ${id}.`);
  return key;
}
