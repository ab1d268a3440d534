import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../protocol/text.js';
import type { AnyPlugin } from '../../types.js';
import { CoreError } from '../core/core-error.js';
import { registerPlugin, type CallCore } from '../core/register.js';

/** Returns the folder of the secrets of one service: each service has its own secret for a plugin. */
export function secretsFolderOf(coreUrl: string, secretsFolder: string): string {
  const service = coreUrl.replace(/^https?:\/\//, '').replace(/^(localhost|\[::1\])(?![^:/])/, '127.0.0.1');
  return join(secretsFolder, service.replaceAll(/[^\w.-]+/g, '_'));
}

/**
 * Registers an HTTP plugin and resolves with its signing secret. Core shows a secret only once, so it is saved in a
 * file in `folder`. If that is lost and the key is an admin's, creates a new secret. Throws an Error with instructions
 * if no secret can be obtained, and CoreError if Core refuses the registration.
 */
export async function registerForSecret(
  call: CallCore,
  plugin: AnyPlugin,
  endpoint: string,
  folder: string,
): Promise<string> {
  const file = join(folder, plugin.id);
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept === '') await prepare(folder);
  const fresh = await registerPlugin(call, plugin, { kind: 'http', endpoint });
  if (fresh !== undefined) return await keep(folder, file, fresh);
  if (kept !== '') return kept;
  try {
    const answer = await call('POST', `/plugins/${plugin.id}/signing-secret`);
    return await keep(folder, file, (answer as { signing_secret: string }).signing_secret);
  } catch (error) {
    if (!(error instanceof CoreError && error.status === 403)) throw error;
    throw new Error(
      `The plugin ${plugin.id} is already registered, but its signing secret is not in ${file}: write it there, set KW_SIGNING_SECRET, or start once with an admin key to create a new one.`,
      { cause: error },
    );
  }
}

/** Creates the folder, before a secret is requested that could not be saved. */
async function prepare(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, '.gitignore'), '*\n');
  } catch (error) {
    throw new Error(
      `The signing secret cannot be saved in ${folder} (${messageOf(error)}): set another secretsFolder, or KW_SIGNING_SECRET.`,
      { cause: error },
    );
  }
}

async function keep(folder: string, file: string, secret: string): Promise<string> {
  await prepare(folder);
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secret;
}
