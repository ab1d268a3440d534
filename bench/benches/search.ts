import { execFileSync } from 'node:child_process';
import { loadLance } from '../../runtime/search/lance/load.js';
import { chunksTable } from '../../runtime/search/lance/location.js';
import { ofResources } from '../../runtime/search/lance/predicates.js';
import { toTerms } from '../../runtime/search/words/index-text.js';
import { wordsOf } from '../../runtime/search/words/split.js';
import { createChunkTexts, type ChunkTexts } from '../kit/corpora/chunk-texts.js';
import { percentile, spreadOf, toCount, type Bench, type Count, type Figure } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startParts } from '../kit/parts.js';
import { residentMib } from '../kit/costs/process-cost.js';
import { indexFolder, rareType, registerIndex, resourceId, resourcesOf } from '../kit/search-index.js';
import { underLoad } from '../kit/load/search-load.js';
import { startSearching } from '../kit/load/searching.js';

const sizes = [10_000, 100_000, 1_000_000] as const;
const rounds = 5;
/** At scale 1. */
const queriesOfRound = 100;
/** With fewer chunks, HTTP and the database cost more than ranking. */
const comparedFrom = 1_000_000;
const mostMs = 100;

interface Asked {
  readonly q: string;
  readonly isPhrase?: true;
  readonly type?: typeof rareType;
}

const queries: Readonly<Record<string, (texts: ChunkTexts) => Asked>> = {
  'one word': (texts) => ({ q: texts.words(1) }),
  'four words': (texts) => ({ q: texts.words(4) }),
  'a phrase': (texts) => ({ q: texts.phrase(3), isPhrase: true }),
  'a word, 1 % of the resources': (texts) => ({ q: texts.words(1), type: rareType }),
};

const bodyOf = ({ q, isPhrase, type }: Asked): Readonly<Record<string, unknown>> => ({
  q: isPhrase === true ? `"${q}"` : q,
  ...(type !== undefined && { type }),
});

/** The cost of a search compared with the same query in LanceDB alone, and its effect on the rest of the service. */
export const search: Bench = {
  name: 'search',
  about: `POST /search over ${sizes.map((size) => size.toLocaleString('en')).join(', ')} chunks, ten per resource; LanceDB alone with the same terms, and for a filter with the ids of the matching resources`,
  async run({ scale, say }) {
    const figures: Figure[] = [];
    const counts: Count[] = [];
    const counted = sizes.map((size) => Math.round(size * scale));
    for (const count of counted) {
      const isLargest = count === counted.at(-1);
      const found = await measure({
        asked: Math.max(20, Math.round(queriesOfRound * Math.min(1, scale))),
        count,
        say,
        loadSeconds: isLargest ? Math.max(5, Math.round(20 * scale)) : null,
      });
      figures.push(...found.figures);
      counts.push(...found.counts);
    }
    return { figures, counts };
  },
};

interface Measured {
  readonly asked: number;
  readonly count: number;
  readonly say: (text: string) => void;
  /** Null if nothing else runs during the searches. */
  readonly loadSeconds: number | null;
}

async function measure({
  asked,
  count,
  say,
  loadSeconds,
}: Measured): Promise<{ figures: Figure[]; counts: Count[] }> {
  const folder = await indexFolder(count, say);
  const chunks = `${count.toLocaleString('en')} chunks`;
  const size = Number(execFileSync('du', ['-sm', folder]).toString().split('\t')[0]);
  const counts: Count[] = [toCount(`${chunks}: the index on disk`, 'MiB', size)];
  const uri = `lancedb:${folder}`;
  const parts = await startParts({ KW_SEARCH_URI: uri });
  try {
    const id = await registerIndex(parts.db, uri, count);
    const api = await parts.startApi();
    const searching = startSearching(api, 16);
    const bare = await openBare(folder, id, count);
    const figures: Figure[] = [];
    for (const [what, make] of Object.entries(queries)) {
      const [mine, theirs] = [createChunkTexts(11), createChunkTexts(11)];
      const middles: number[] = [];
      const round = async (work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> => {
        const times: number[] = [];
        for (let at = 0; at < asked; at++) times.push(await timed(work));
        return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
      };
      const sides = await inTurns(rounds, {
        async ours() {
          const { p50, p95 } = await round(() => searching.ask(bodyOf(make(mine))));
          middles.push(p50);
          return p95;
        },
        beside: async () => (await round(() => bare(make(theirs)))).p95,
      });
      const goal = count >= comparedFrom ? { atMost: 1.5 } : null;
      figures.push({ what: `${chunks}, ${what}: p95`, unit: 'ms', ...sides, goal });
      const p95 = spreadOf(sides.ours).median;
      counts.push(
        toCount(`${chunks}, ${what}: p50`, 'ms', spreadOf(middles.slice(1)).median),
        toCount(`${chunks}, ${what}: p95`, 'ms', p95, { atMost: mostMs }),
      );
      say(
        `${chunks}, ${what}: ${p95.toFixed(1)} ms, beside it ${spreadOf(sides.beside).median.toFixed(1)} ms`,
      );
    }
    counts.push(toCount(`${chunks}: memory of the API`, 'MiB', residentMib(api.pid)));
    if (loadSeconds !== null) {
      const texts = createChunkTexts(13);
      let at = 0;
      const kinds = Object.values(queries);
      const next = (): Readonly<Record<string, unknown>> => bodyOf(kinds[at++ % kinds.length]!(texts));
      const found = await underLoad({
        resources: resourcesOf(count),
        parts,
        api,
        searching,
        next,
        seconds: loadSeconds,
        say,
      });
      figures.push(...found.figures);
      counts.push(...found.counts);
    }
    await searching.close();
    return { figures, counts };
  } finally {
    await parts.stop();
  }
}

/** Runs the same query in LanceDB alone and returns its ten best chunks. */
async function openBare(
  folder: string,
  id: number,
  count: number,
): Promise<(asked: Asked) => Promise<unknown>> {
  const { connect, MatchQuery, PhraseQuery } = await loadLance();
  const table = await (await connect(folder)).openTable(chunksTable(id));
  const resources = Array.from({ length: resourcesOf(count) }, (_, n) => n);
  const ofRareType = ofResources(resources.filter((n) => n % 100 === 0).map(resourceId));
  return async ({ q, isPhrase, type }) => {
    const words = wordsOf(q);
    const query =
      isPhrase === true
        ? new PhraseQuery(words.map(({ word }) => word).join(' '), 'words')
        : new MatchQuery(toTerms(words).join(' '), 'words');
    const search = table.query().fullTextSearch(query).select(['resource_id', 'text', '_score']).limit(10);
    if (type !== undefined) void search.where(ofRareType);
    return await search.toArray();
  };
}
