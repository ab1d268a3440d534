import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toolsFolder } from '../servers/tools-folder.js';

/**
 * Returns a cached folder that is created once from `sources`.
 *
 * @param make Fills a new folder, which is moved to its place when it is complete.
 */
export async function keptFolder(
  name: string,
  sources: readonly (string | Buffer)[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(`${source.length} `).update(source);
  const folder = join(toolsFolder(), `${name}-${hash.digest('hex').slice(0, 12)}`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  await mkdir(toolsFolder(), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  try {
    await make(made);
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    // Another test process was faster.
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return folder;
}
