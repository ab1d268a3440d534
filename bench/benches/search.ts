import { execFileSync } from 'node:child_process';
import { request } from 'undici';
import type { NewChunk } from '../../runtime/search/engine.js';
import { loadLance } from '../../runtime/search/lance/load.js';
import { chunksTable } from '../../runtime/search/lance/place.js';
import { tableFormat } from '../../runtime/search/lance/rows.js';
import { createLanceWriter } from '../../runtime/search/lance/writer.js';
import { toTerms } from '../../runtime/search/words/index-text.js';
import { wordsOf } from '../../runtime/search/words/split.js';
import { beginIndex, noteFilled, noteVersion, readCurrentIndex } from '../../storage/search/indexes.js';
import { writeIndexed } from '../../storage/search/indexed.js';
import { temporaryFolder } from '../../test/support/temporary.js';
import { createChunkTexts, type ChunkTexts } from '../kit/chunk-texts.js';
import { percentile, type Bench, type Count, type Figure } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startParts, type Parts } from '../kit/parts.js';

const chunks = 10_000;
const chunksOfResource = 10;
const together = 5_000;
const rounds = 5;
/** Every hundredth resource is of the type that a filter asks for. */
const rareType = 'rare';

/** What is asked: its words, whether as a phrase, and a filter that leaves 1 % of the resources. */
const queries: Readonly<
  Record<string, (texts: ChunkTexts) => { q: string; isPhrase?: true; type?: string }>
> = {
  'one word': (texts) => ({ q: texts.words(1) }),
  'four words': (texts) => ({ q: texts.words(4) }),
  'a phrase': (texts) => ({ q: texts.phrase(3), isPhrase: true }),
  'a word, 1 % of the resources': (texts) => ({ q: texts.words(1), type: rareType }),
};

/** What a search costs beside the same query of LanceDB alone. `--scale 100`: over a million chunks. */
export const search: Bench = {
  name: 'search',
  about: `p95 of POST /search over ${chunks.toLocaleString('en')} chunks (times the scale); beside it LanceDB alone with the same terms, without a filter`,
  async run({ scale, say }) {
    const count = Math.max(1_000, Math.round(chunks * scale));
    const folder = temporaryFolder();
    const uri = `lancedb:${folder}`;
    const parts = await startParts({ KW_SEARCH_URI: uri });
    try {
      const api = await parts.startApi();
      const id = await fill(parts, { folder, uri, count, say });
      const size = Number(execFileSync('du', ['-sm', folder]).toString().split('\t')[0]);
      const { connect, MatchQuery, PhraseQuery } = await loadLance();
      const table = await (await connect(folder)).openTable(chunksTable(id));

      const ask = async (q: string, type?: string): Promise<void> => {
        const { statusCode, body } = await request(`${api.base}/api/v1/search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ q, ...(type !== undefined && { type }) }),
        });
        if (statusCode !== 200) throw new Error(`A search was answered ${statusCode}: ${await body.text()}`);
        await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      };
      const bare = async (q: string, isPhrase: boolean): Promise<void> => {
        const words = [...wordsOf(q)];
        const query = isPhrase
          ? new PhraseQuery(words.map(({ word }) => word).join(' '), 'words')
          : new MatchQuery(toTerms(words).join(' '), 'words');
        await table
          .query()
          .fullTextSearch(query)
          .select(['resource_id', 'text', '_score'])
          .limit(10)
          .toArray();
      };
      const p95 = async (work: () => Promise<void>): Promise<number> => {
        const times: number[] = [];
        for (let at = 0; at < 100; at++) times.push(await timed(work));
        return percentile(times, 0.95);
      };

      const figures: Figure[] = [];
      const counts: Count[] = [{ what: 'the index on disk', unit: 'MiB', value: size, goal: null }];
      for (const [what, make] of Object.entries(queries)) {
        const [mine, theirs] = [createChunkTexts(11), createChunkTexts(11)];
        const sides = await inTurns(rounds, {
          ours: () =>
            p95(async () => {
              const { q, isPhrase, type } = make(mine);
              await ask(isPhrase === true ? `"${q}"` : q, type);
            }),
          beside: () =>
            p95(async () => {
              const { q, isPhrase } = make(theirs);
              await bare(q, isPhrase === true);
            }),
        });
        // Over few chunks, HTTP and the database cost more than what ranks.
        const goal = count >= 1_000_000 ? { atMost: 1.5 } : null;
        figures.push({ what, unit: 'ms', ...sides, goal });
        const worst = Math.max(...sides.ours);
        counts.push({ what: `${what}, the worst round`, unit: 'ms', value: worst, goal: { atMost: 100 } });
        say(`${what}: ${sides.ours.map((ms) => ms.toFixed(1)).join(', ')} ms`);
      }
      return { figures, counts };
    } finally {
      await parts.stop();
    }
  },
};

interface Filling {
  readonly folder: string;
  readonly uri: string;
  readonly count: number;
  readonly say: (text: string) => void;
}

/** Writes an index as the indexer does, without the processing before it. Returns its id. */
export async function fill({ db }: Parts, { folder, uri, count, say }: Filling): Promise<number> {
  const writer = createLanceWriter({ uri: folder, isFolder: true, storageOptions: {} });
  const texts = createChunkTexts(7);
  await beginIndex(db, { uri, format: tableFormat, state: 'CURRENT' });
  const { id = 0 } = (await readCurrentIndex(db)) ?? {};
  await writer.prepare(id);
  const resources = Math.ceil(count / chunksOfResource);
  await db.raw('alter table resources disable trigger user');
  await db.raw(
    `insert into resources (id, name, type, source_type, status, run)
     select ('019aa099-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Text ' || n,
       case when n % 100 = 0 then '${rareType}' else 'document' end, 'UPLOAD', 'COMPLETED', 1
     from generate_series(0, ?::int - 1) as n`,
    [resources],
  );
  await db.raw('alter table resources enable trigger user');
  const idOf = (n: number): string => `019aa099-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  const ms = await timed(async () => {
    for (let from = 0; from < count; from += together) {
      const some = Array.from({ length: Math.min(together, count - from) }, (_, at): NewChunk => {
        const n = from + at;
        const place = { start: null, end: null, page_start: null, page_end: null, headings: [] };
        const key = { resource_id: idOf(Math.floor(n / chunksOfResource)), run: 1 };
        return { ...key, ...place, index: n % chunksOfResource, text: texts.next(), vector: null };
      });
      await writer.add(id, 1, some);
    }
    await writer.optimize(id);
  });
  say(`${count} chunks indexed in ${(ms / 1000).toFixed(1)} s`);
  for (let from = 0; from < resources; from += together) {
    const some = Array.from({ length: Math.min(together, resources - from) }, (_, at) => ({
      ...{ resource_id: idOf(from + at), run: 1, artifact_id: idOf(from + at) },
      ...{ chunks: chunksOfResource, write: 1, error: null },
    }));
    await writeIndexed(db, id, some);
  }
  await noteFilled(db, id, { upTo: null, isFilled: true });
  await noteVersion(db, id, 1);
  await db.raw('analyze');
  writer.close();
  return id;
}
