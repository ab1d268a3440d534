import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyPlugin } from '../../types.js';
import { CoreError } from '../core/core-error.js';
import { registerPlugin, type CallCore } from '../core/register.js';

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
  const fresh = await registerPlugin(call, plugin, { kind: 'http', endpoint });
  if (fresh !== undefined) return await keep(folder, file, fresh);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim() !== '') return kept.trim();
  try {
    const answer = await call('POST', `/plugins/${plugin.id}/signing-secret`);
    return await keep(folder, file, (answer as { signing_secret: string }).signing_secret);
  } catch (error) {
    if (!(error instanceof CoreError && error.status === 403)) throw error;
    throw new Error(
      `The plugin ${plugin.id} is already registered, but its signing secret is not known here: set KW_SIGNING_SECRET, or start once with an admin key to create a new one.`,
      { cause: error },
    );
  }
}

async function keep(folder: string, file: string, secret: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.gitignore'), '*\n');
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secret;
}
