import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NewChunk } from '../../runtime/search/engine.js';
import { createLanceWriter } from '../../runtime/search/lance/writer.js';
import { tableFormat } from '../../runtime/search/lance/rows.js';
import type { Db } from '../../storage/database/connection.js';
import { writeIndexed } from '../../storage/search/indexed.js';
import { beginIndex, noteFilled, noteVersion, readCurrentIndex } from '../../storage/search/indexes.js';
import { atExit } from '../../test/support/at-exit.js';
import { createChunkTexts } from './corpora/chunk-texts.js';
import { cacheFolder } from './corpora/downloaded.js';
import { timed } from './in-turns.js';

export const chunksOfResource = 10;
const together = 5_000;
/** The id of the first index in a database. */
const firstId = 1;
/** Every hundredth resource has this type, which a filter selects. */
export const rareType = 'rare';

/** Returns the id of a resource by its number. */
export const resourceId = (n: number): string =>
  `019aa099-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

export const resourcesOf = (chunks: number): number => Math.ceil(chunks / chunksOfResource);

/** Returns a hash of the code that writes an index, so that indexes written by other versions are not used. */
function revision(): string {
  const words = 'runtime/search/words';
  const files = [...readdirSync(words).map((name) => join(words, name)), 'runtime/search/lance/rows.ts'];
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/**
 * Returns a folder with an index of this many chunks, written as the indexer does. It is cached, because a million
 * chunks take minutes; the caller gets a copy that shares the files, which LanceDB never changes.
 */
export async function indexFolder(count: number, say: (text: string) => void): Promise<string> {
  const kept = join(cacheFolder(), `search-${count}-${revision()}`);
  if (!existsSync(kept)) {
    const scratch = `${kept}.${process.pid}`;
    try {
      await writeChunks(scratch, count, say);
      renameSync(scratch, kept);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  const copy = mkdtempSync(`${kept}.`);
  atExit(() => rmSync(copy, { recursive: true, force: true }));
  execFileSync('cp', ['-al', `${kept}/.`, copy]);
  return copy;
}

async function writeChunks(folder: string, count: number, say: (text: string) => void): Promise<void> {
  const writer = createLanceWriter({ uri: folder, isFolder: true, storageOptions: {} });
  const texts = createChunkTexts(7);
  const place = {
    start: null,
    end: null,
    page_start: null,
    page_end: null,
    headings: [],
    vector: null,
  };
  await writer.prepare(firstId);
  const ms = await timed(async () => {
    for (let from = 0; from < count; from += together) {
      const some = Array.from({ length: Math.min(together, count - from) }, (_, at): NewChunk => {
        const n = from + at;
        const resource_id = resourceId(Math.floor(n / chunksOfResource));
        return { resource_id, run: 1, index: n % chunksOfResource, text: texts.next(), ...place };
      });
      await writer.add(firstId, 1, some);
    }
    await writer.optimize(firstId);
  });
  writer.close();
  say(`${count.toLocaleString('en')} chunks indexed in ${(ms / 1000).toFixed(0)} s`);
}

/** Registers an index, and the resources whose chunks it contains, in the database. Returns its id. */
export async function registerIndex(db: Db, uri: string, count: number): Promise<number> {
  await beginIndex(db, { uri, format: tableFormat, state: 'CURRENT' });
  const id = (await readCurrentIndex(db))?.id;
  if (id !== firstId) throw new Error(`The index has the id ${id} instead of ${firstId}.`);
  const resources = resourcesOf(count);
  await db.raw('alter table resources disable trigger user');
  await db.raw(
    `insert into resources (id, name, type, source_type, status, run)
     select ('019aa099-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Text ' || n,
       case when n % 100 = 0 then '${rareType}' else 'document' end, 'UPLOAD', 'COMPLETED', 1
     from generate_series(0, ?::int - 1) as n`,
    [resources],
  );
  await db.raw('alter table resources enable trigger user');
  for (let from = 0; from < resources; from += together) {
    const some = Array.from({ length: Math.min(together, resources - from) }, (_, at) => ({
      ...{ resource_id: resourceId(from + at), run: 1, artifact_id: resourceId(from + at) },
      ...{ chunks: chunksOfResource, write: 1, error: null },
    }));
    await writeIndexed(db, id, some);
  }
  await noteFilled(db, id, { upTo: null, isFilled: true });
  await db('search_indexes').where({ id }).update({ writes: 1 });
  await noteVersion(db, id, 1);
  await db.raw('vacuum analyze');
  return id;
}
