import { isUuid } from '../../core/ids.js';
import type { Environment } from '../../runtime/settings/config.js';
import { StartError } from '../../runtime/embedded/start-error.js';
import { recordAudit } from '../../storage/audit.js';
import { createApiKey, listApiKeys, revokeApiKey, type ApiKeyRow } from '../../storage/auth/api-keys.js';
import { UsageError } from '../exit.js';
import { loadOperationConfig } from './running-stack.js';
import type { Db } from '../../storage/database/connection.js';
import { withDatabase } from './with-database.js';

type Print = (line: string) => void;

/** Matches read, write, admin and plugin:ID. */
const scope = /^(read|write|admin|plugin:[a-z0-9][a-z0-9._-]*)$/;

/**
 * Creates a key and prints it alone on its line, so that a script can read it.
 *
 * @throws UsageError if the name is empty or a scope is invalid
 */
export async function createKey(
  env: Environment,
  options: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expiresInDays?: number;
    /** Requests per minute; 0: no limit. */
    readonly rateLimit?: number;
  },
  print: Print,
): Promise<void> {
  if (options.name.trim() === '') throw new UsageError('--name must not be empty.');
  const unknown = options.scopes.find((word) => !scope.test(word));
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is not a scope. Use read, write, admin or plugin:ID.`);
  const { expiresInDays, rateLimit } = options;
  const key = await withDatabase(loadOperationConfig(env, 'keys'), (db) =>
    db.transaction(async (trx) => {
      const created = await createApiKey(trx, {
        name: options.name,
        scopes: options.scopes,
        expires_at: expiresInDays === undefined ? null : new Date(Date.now() + expiresInDays * 86_400_000),
        rate_limit: rateLimit ?? null,
      });
      await note(trx, 'createKey', created.id);
      return created;
    }),
  );
  print(key.key);
}

/** Prints all keys as a table or as JSON. Only the beginning of each key is known. */
export async function listKeys(
  env: Environment,
  options: { readonly json: boolean },
  print: Print,
): Promise<void> {
  const keys = await withDatabase(loadOperationConfig(env, 'keys'), listApiKeys);
  if (options.json) {
    print(JSON.stringify(keys, null, 2));
    return;
  }
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.prefix}…`,
    key.scopes.join(','),
    stateOf(key),
    key.last_used_at?.toISOString().slice(0, 16) ?? 'never',
  ]);
  table([['ID', 'NAME', 'KEY', 'SCOPES', 'STATE', 'LAST USED'], ...rows]).forEach(print);
}

/** Revokes a key at once. Throws StartError if there is no such active key. */
export async function revokeKey(env: Environment, id: string, print: Print): Promise<void> {
  const revoked =
    isUuid(id) &&
    (await withDatabase(loadOperationConfig(env, 'keys'), (db) =>
      db.transaction(async (trx) => {
        const ended = await revokeApiKey(trx, id);
        if (ended) await note(trx, 'deleteKey', id.toLowerCase());
        return ended;
      }),
    ));
  if (!revoked) throw new StartError(`There is no active key ${id}.`);
  print(`Revoked ${id}.`);
}

/** Writes the audit entry. It names no key, because access to the database needs none. */
async function note(trx: Db, action: 'createKey' | 'deleteKey', id: string): Promise<void> {
  const object = { type: 'key', id };
  await recordAudit(trx, { key: null, address: null, action, object, requestId: null });
}

function stateOf(key: ApiKeyRow): string {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at.toISOString().slice(0, 10)}`;
  if (key.expires_at === null) return 'valid';
  const verb = key.expires_at.getTime() <= Date.now() ? 'expired' : 'until';
  return `${verb} ${key.expires_at.toISOString().slice(0, 10)}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(width(column)))
      .join('  ')
      .trimEnd(),
  );
}
