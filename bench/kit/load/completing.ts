import { createObjectStore } from '../../../storage/object-store/index.js';
import { createChunkTexts } from '../corpora/chunk-texts.js';
import { manyAtOnce } from '../in-turns.js';
import type { Parts } from '../parts.js';
import { chunksOfResource, resourceId } from '../search-index.js';

/** The number of different contents of the existing resources; a rebuild reads each of them many times. */
const contents = 100;
/** Far above the numbers of existing resources. */
const firstNew = 2 ** 40;

/** Completes resources like a run, but without processing. */
export interface Completing {
  /** Stores a resource for each word, which only its chunks contain. Returns the ids. */
  prepare(words: readonly string[]): Promise<readonly string[]>;
  /** Completes the run of a resource. The index follows after the commit. */
  complete(id: string): Promise<void>;
}

/** Stores the chunks of every resource, which a rebuild of the index reads. */
export async function storeSources({ db, env }: Parts): Promise<void> {
  const store = storeOf(env);
  const texts = createChunkTexts(7);
  const sizes: number[] = [];
  for (let number = 0; number < contents; number++) {
    const content = contentOf(Array.from({ length: chunksOfResource }, () => texts.next()));
    sizes.push(content.length);
    await store.put(`bench/chunks-${number}`, content);
  }
  store.close();
  await db.raw(
    `insert into search_sources (resource_id, run, kind, artifact_id, object_key, size_bytes, metadata)
     select id, 1, 'chunks', id, 'bench/chunks-' || n % ?::int, (?::bigint[])[1 + n % ?::int], '{}'
     from (select id, row_number() over () - 1 as n from resources) as numbered
     on conflict do nothing`,
    [contents, sizes, contents],
  );
}

export function startCompleting({ db, env }: Parts): Completing {
  const store = storeOf(env);
  const texts = createChunkTexts(17);
  const prepareOne = async (id: string, number: number, word: string): Promise<void> => {
    const key = `bench/new-${number}`;
    const content = contentOf(Array.from({ length: chunksOfResource }, () => `${word} ${texts.next()}`));
    await store.put(key, content);
    await db('resources').insert({
      ...{ id, name: `New ${number}`, type: 'document', source_type: 'UPLOAD' },
      ...{ status: 'PROCESSING', run: 1 },
    });
    await db('artifacts').insert({
      ...{ id, resource_id: id, step_index: 1, plugin_id: 'chunk-text', run: 1, current_run: 1 },
      ...{ type: 'chunks', content_type: 'json', size_bytes: content.length, object_key: key },
    });
  };
  return {
    async prepare(words) {
      const ids = words.map((_word, number) => resourceId(firstNew + number));
      await manyAtOnce(words.length, 4, (number) => prepareOne(ids[number]!, number, words[number]!));
      return ids;
    },
    async complete(id) {
      await db('resources').where({ id }).update({ status: 'COMPLETED' });
    },
  };
}

function contentOf(texts: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify({ chunks: texts.map((text) => ({ text })) }));
}

function storeOf(env: Readonly<Record<string, string>>): ReturnType<typeof createObjectStore> {
  return createObjectStore({ s3: null, directory: `${env['KW_DATA_DIR']}/objects` });
}
