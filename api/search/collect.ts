import { mapInTurns, startTurns } from '../../core/in-turns.js';
import type { IndexedChunk, IndexReader, Ranked } from '../../runtime/search/engine.js';
import { countWords } from '../../runtime/search/match.js';
import type { Query } from '../../runtime/search/query.js';
import type { Db } from '../../storage/database/connection.js';
import {
  checkHits,
  listCandidates,
  type FoundResource,
  type SearchScope,
} from '../../storage/search/hits.js';
import type { SearchIndex } from '../../storage/search/indexes.js';
import { byEvidence } from './evidence.js';
import { keyOf, mostRanked, type Ranker } from './rankers.js';
import { firstRound, nextRound, withEarlier } from './rounds.js';
import { createTexts, type Texts } from './texts.js';

/** A chunk to show. */
export interface Collected {
  readonly chunk: IndexedChunk;
  readonly resource: FoundResource;
  readonly score: number;
}

export interface CollectOptions {
  readonly db: Db;
  readonly index: SearchIndex;
  readonly reader: IndexReader;
  readonly rank: Ranker;
  readonly query: Query;
  readonly scope: SearchScope;
  readonly limit: number;
  readonly perResource: number;
  /** Whether scores come from full-text search. Only these are reordered by evidence. */
  readonly isByWords: boolean;
}

/** Chunks to rank for each wanted chunk, since some may be hidden or exceed the limit per resource. */
const margin = 2;
/**
 * Up to this many resources, the index filters by their ids; up to the second number only if they are a small share of
 * all. Otherwise it is faster to check its results.
 */
const [fewCandidates, someCandidates, smallShare] = [200, 2_000, 0.05];
const mostCandidates = 5_000;
/** Chunks to read at once when searching for phrases. */
const readAtOnce = 100;

/**
 * Collects the best chunks that may be shown. The index ranks, and the database decides about each resource. If it
 * rejects some, more are ranked, until there are enough or the index is exhausted. Beyond the maximum, only resources
 * that can still add hits are ranked. A search that has read 64 million characters, or for ten seconds, ends with what
 * it has. Returns null if the index changed meanwhile, so that results may be missing.
 */
export async function collect(options: CollectOptions): Promise<readonly Collected[] | null> {
  const { db, index, rank, scope, query } = options;
  const candidates = await listCandidates(db, index.id, scope, mostCandidates);
  if (candidates?.length === 0) return [];
  const among = candidates === null ? null : new Set(candidates);
  let only = candidates !== null && areFew(candidates.length, index.resources) ? candidates : null;
  const checked = new Map<string, FoundResource | null>();
  const texts = createTexts(options.reader, query);
  let round = firstRound;
  for (let limit = firstLimit(options, only === null ? candidates : null); ;) {
    const { number, exceptIds } = round;
    const rankedBefore = (number - 1) * mostRanked;
    const { ranked: all, isAll } = await rank({ limit, resourceIds: only, exceptIds, rankedBefore });
    // With a narrow filter, few of thousands of ranked hits remain to check in the database.
    const allowed = among === null ? all : all.filter((hit) => among.has(hit.resource_id));
    const ranked = withEarlier(round, allowed);
    const unchecked = ranked.filter((hit) => isUnchecked(hit, checked.get(hit.resource_id)));
    if (unchecked.length > 0) {
      const unknown = [...new Set(unchecked.map((hit) => hit.resource_id))];
      const { shown, version } = await checkHits(db, index.id, unknown, scope);
      // Null: a rebuild replaced the index after it was read.
      if (version === null) return null;
      const added = unchecked.filter((hit) => !checked.has(hit.resource_id));
      if (version > index.version && added.some((hit) => isOutdated(hit, shown))) return null;
      for (const id of unknown) checked.set(id, shown.get(id) ?? null);
    }
    const collected = await take(options, ranked, checked, texts);
    if (collected === null) return null;
    if (collected.length >= options.limit || isAll || texts.isSpent()) return await ordered(collected, query);
    if (limit < mostRanked) limit = Math.min(mostRanked, limit * 4);
    else if (only === null && candidates !== null) only = candidates;
    else {
      const taken = collected.map(({ chunk }) => chunk);
      const isHidden = (id: string): boolean => checked.get(id) === null;
      const next = nextRound(round, ranked, taken, { isHidden, perResource: options.perResource });
      if (next === null) return await ordered(collected, query);
      round = next;
    }
  }
}

const areFew = (count: number, all: number): boolean =>
  count <= fewCandidates || (count <= someCandidates && count <= smallShare * all);

/**
 * A later ranking may find chunks of a run that replaced the checked one. The index may also still have chunks of earlier
 * runs, which are not shown again.
 */
const isUnchecked = (hit: Ranked, checked: FoundResource | null | undefined): boolean =>
  checked === undefined || (checked !== null && checked.run < hit.run);

const isOutdated = (hit: Ranked, shown: ReadonlyMap<string, FoundResource>): boolean =>
  (shown.get(hit.resource_id)?.run ?? hit.run) !== hit.run;

/** Returns how many chunks to rank so that enough are likely to be visible, by the share of visible resources. */
function firstLimit({ limit, index }: CollectOptions, candidates: readonly string[] | null): number {
  const share = candidates === null ? 1 : candidates.length / Math.max(1, index.resources);
  return Math.min(mostRanked, Math.ceil((margin * limit) / share));
}

/** Takes the first ranked chunks that may be shown, with their texts. Returns null if one no longer exists. */
async function take(
  { query, limit, perResource, isByWords }: CollectOptions,
  ranked: readonly Ranked[],
  checked: ReadonlyMap<string, FoundResource | null>,
  texts: Texts,
): Promise<readonly Collected[] | null> {
  const collected: Collected[] = [];
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  const shown = ranked.filter((hit) => checked.get(hit.resource_id)?.run === hit.run);
  const nameOf = (id: string): string => checked.get(id)?.name ?? '';
  const allowed = isByWords && query.phrases.length === 0 ? byEvidence(shown, query.words, nameOf) : shown;
  const turn = startTurns();
  const isEasy = query.phrases.length === 0 && query.excluded.length === 0;
  for (let rest = allowed; rest.length > 0 && collected.length < limit;) {
    const some = rest.slice(0, isEasy ? limit : readAtOnce);
    await texts.read(some);
    for (const hit of some) {
      if (turn.isOver()) await turn.next();
      const resource = checked.get(hit.resource_id);
      if (resource === null || resource === undefined) return null;
      const count = counts.get(resource.id) ?? 0;
      if (collected.length === limit || count === perResource || seen.has(keyOf(hit))) continue;
      const chunk = texts.matching(hit);
      if (chunk === 'gone') return null;
      if (chunk === null) continue;
      seen.add(keyOf(hit));
      counts.set(resource.id, count + 1);
      collected.push({ chunk, resource, score: hit.score });
    }
    // Reading thousands of texts of a resource that has enough hits would take seconds.
    rest = rest.slice(some.length).filter((hit) => counts.get(hit.resource_id) !== perResource);
  }
  return collected;
}

/** Sorts chunks with the same phrase by how many of the other words they contain. */
async function ordered(collected: readonly Collected[], query: Query): Promise<readonly Collected[]> {
  if (query.phrases.length === 0 || query.words.length === 0) return collected;
  const weighed = await mapInTurns(collected, (one) => ({
    ...one,
    score: one.score * (1 + countWords(one.chunk, query) / query.words.length),
  }));
  return weighed.sort((one, other) => other.score - one.score);
}
