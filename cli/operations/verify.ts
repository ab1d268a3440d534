import { finished } from 'node:stream/promises';

import { messageOf, ServiceError } from '../../core/errors.js';
import type { Environment } from '../../runtime/settings/config.js';
import type { Db } from '../../storage/database/connection.js';
import { innermost } from '../../storage/object-store/explain.js';
import { guardStore, requireStore } from '../../storage/object-store/owner.js';
import { createObjectStore, type ObjectStore } from '../../storage/object-store/index.js';
import { openStored } from '../../storage/object-store/open-stored.js';
import { isUnreadable, unreadableArtifact, unreadableSource } from '../../storage/object-store/unreadable.js';
import {
  isStillReferenced,
  listContents,
  type ReferencedContent,
} from '../../storage/object-store/stored-contents.js';
import { loadOperationConfig } from './running-stack.js';
import { withDatabase } from './with-database.js';

/** The number of objects read at a time. */
const atOnce = 8;

/**
 * Reads every object that a row names and compares it with that row. Prints a line for each missing or
 * damaged object, then a summary. Calls `onFault` for each of these objects.
 *
 * @throws ConfigError; DATABASE_UNAVAILABLE or STORAGE_UNAVAILABLE if not everything could be checked
 */
export async function verify(
  env: Environment,
  print: (line: string) => void,
  onFault: () => void,
): Promise<void> {
  const config = loadOperationConfig(env, 'verify');
  const anyStore = createObjectStore({ s3: config.s3, directory: config.objectDirectory });
  const counts = { objects: 0, bytes: 0, unhashed: 0, missing: 0, damaged: 0 };
  try {
    await withDatabase(config, async (db) => {
      await requireStore(db, anyStore);
      const objectStore = guardStore(anyStore, db);
      const contents = listContents(db);
      const work = async (): Promise<void> => {
        // Each reader takes the next row: the generator is asked for one row at a time.
        for (let next = await contents.next(); next.done !== true; next = await contents.next()) {
          const content = next.value;
          const fault = await faultOf(db, objectStore, content);
          if (fault !== null) {
            counts[fault]++;
            onFault();
            print(`${fault.padEnd(8)} ${nameOf(content)}`);
          }
          counts.objects++;
          counts.bytes += content.size_bytes;
          if (content.sha256 === null) counts.unhashed++;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'STORAGE_UNAVAILABLE') throw error;
    // The cause is for operators only, who run this.
    const reason = messageOf(innermost(error));
    throw new ServiceError(error.code, `${error.message} ${reason}`, {}, { cause: error });
  } finally {
    anyStore.close();
  }
  const { objects, bytes, unhashed, missing, damaged } = counts;
  if (unhashed > 0)
    print(
      `${unhashed} objects have no hash, because an older version stored them: only their length was checked.`,
    );
  print(`Checked ${objects} objects of ${bytes} bytes: ${missing} missing, ${damaged} damaged.`);
}

/** Returns what is wrong with an object; null if nothing is, or if its row now points to another object. */
async function faultOf(
  db: Db,
  objectStore: ObjectStore,
  content: ReferencedContent,
): Promise<'missing' | 'damaged' | null> {
  const unreadable = content.kind === 'source' ? unreadableSource(content) : unreadableArtifact(content);
  try {
    await finished((await openStored(objectStore, content, { unreadable })).resume());
    return null;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (!(await isStillReferenced(db, content))) return null;
    return error.details['reason'] === 'missing' ? 'missing' : 'damaged';
  }
}

function nameOf(content: ReferencedContent): string {
  const resource = `resource ${content.resource_id}`;
  switch (content.kind) {
    case 'source':
      return `${resource}: its source`;
    case 'artifact':
      return `${resource}: the artifact ${content.type} (${content.id})`;
    case 'searched':
      return `${resource}: the ${content.type} of its last completed run, which search reads`;
  }
}
