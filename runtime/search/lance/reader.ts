import type * as LanceDb from '@lancedb/lancedb';
import { ServiceError } from '../../../core/errors.js';
import { withTimeLimit } from '../../../core/time-limit.js';
import type {
  ChunkSpan,
  IndexedChunk,
  IndexReader,
  IndexState,
  Ranked,
  RankOptions,
  SearchEngine,
} from '../engine.js';
import { byRank } from '../by-rank.js';
import { partsOfPhrase } from '../words/index-text.js';
import { loadLance } from './load.js';
import {
  chunksTable,
  connectTo,
  isMissing,
  isRefusal,
  isSilence,
  isStorageFailure,
  isTimeout,
  vectorsTable,
  type LanceLocation,
} from './location.js';
import { ofResources, ofSpans, quoted } from './predicates.js';
import { chunkColumns, fromRow } from './rows.js';

interface Opened {
  readonly id: number;
  readonly connection: LanceDb.Connection;
  readonly chunks: LanceDb.Table;
  readonly vectors: Map<number, Promise<LanceDb.Table>>;
  version: number;
  lookedAt: number;
  refreshing: Promise<void> | null;
}

/** The index that searches use, which may still be opening. */
interface Current {
  readonly id: number;
  readonly index: Promise<Opened>;
}

const keyColumns = ['resource_id', 'run', 'chunk'];
/** Up to this many hits include their chunks: fetching chunks by key afterwards takes longer. */
const mostWithChunk = 100;
/** How often an index is checked when no change is reported, since it may have been deleted. */
const lookEveryMs = 2_000;
/** A table that is no longer used is closed after this time, when its running searches have ended. */
const closeAfterMs = 60_000;
const timeoutMs = 10_000;
/** Needed because LanceDB retries for minutes if a bucket does not answer. */
const openTimeoutMs = 5_000;
/** How many times more candidates an approximate index returns, to be compared by their exact vectors. */
const refineFactor = 10;
const silentStorage = 'The storage of the search index does not answer.';

/** Reads indexes in LanceDB. The tables of one index stay open and are refreshed when the version changes. */
export function createLanceEngine(location: LanceLocation): SearchEngine {
  let current: Current | null = null;
  let isWaiting = false;

  const open = async (state: IndexState): Promise<Opened> => {
    const connection = await connectTo(location, 'read');
    const chunks = await connection.openTable(chunksTable(state.id));
    return {
      ...{ id: state.id, connection, chunks, vectors: new Map() },
      ...{ version: state.version, lookedAt: performance.now(), refreshing: null },
    };
  };

  const refresh = async (index: Opened, version: number): Promise<void> => {
    const at = performance.now();
    const tables = [index.chunks, ...(await Promise.all(index.vectors.values()))];
    await Promise.all(tables.map((table) => table.checkoutLatest()));
    index.version = Math.max(index.version, version);
    index.lookedAt = at;
  };

  const upToDate = async (index: Opened, { version }: IndexState): Promise<void> => {
    while (index.version < version || performance.now() - index.lookedAt > lookEveryMs) {
      // A refresh that started before the version was written may have missed it.
      const isOurs = index.refreshing === null;
      index.refreshing ??= refresh(index, version).finally(() => (index.refreshing = null));
      await index.refreshing;
      if (isOurs) return;
    }
  };

  /** Makes the next search reopen the index, unless an earlier one has done so since this one was opened. */
  const letGo = (failed: Current): void => {
    if (failed !== current) return;
    current = null;
    setTimeout(() => void failed.index.then(closeIndex, () => undefined), closeAfterMs).unref();
  };

  const currentFor = (state: IndexState): Current => {
    if (current !== null && current.id !== state.id) letGo(current);
    current ??= { id: state.id, index: open(state) };
    return current;
  };

  /**
   * Opens the index and brings it up to date within five seconds. After that, LanceDB is still waiting: until it stops,
   * every call fails immediately without a new request.
   */
  const openInTime = async (ours: Current, state: IndexState): Promise<Opened> => {
    const work = (async () => {
      const index = await ours.index;
      await upToDate(index, state);
      return index;
    })();
    return await withTimeLimit(openTimeoutMs, work, () => {
      isWaiting = true;
      void work.catch(() => letGo(ours)).finally(() => (isWaiting = false));
      throw indexSilent();
    });
  };

  /** After an error of LanceDB the index is reopened, unless a query only took too long. Throws SEARCH_UNAVAILABLE. */
  const guardOf = (ours: Current): Guard => {
    return async (work) => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        if (!isTimeout(error)) letGo(ours);
        throw indexUnavailable(error);
      }
    };
  };

  return {
    async open(state) {
      if (isWaiting) throw indexSilent();
      const ours = currentFor(state);
      const guarded = guardOf(ours);
      return await guarded(async () => readerOf(await openInTime(ours, state), state, guarded));
    },
    close() {
      const last = current;
      current = null;
      void last?.index.then(closeIndex, () => undefined);
    },
  };
}

async function closeIndex(index: Opened): Promise<void> {
  for (const table of await Promise.allSettled(index.vectors.values()))
    if (table.status === 'fulfilled') table.value.close();
  index.chunks.close();
  index.connection.close();
}

function indexSilent(): ServiceError {
  return new ServiceError('SEARCH_UNAVAILABLE', silentStorage);
}

/** The cause is only for the log; it may contain paths. Only an index that a rebuild can repair names the rebuild. */
function indexUnavailable(cause: unknown): ServiceError {
  return new ServiceError('SEARCH_UNAVAILABLE', explain(cause), {}, { cause });
}

function explain(error: unknown): string {
  if (isRefusal(error)) return 'The storage of the search index refuses access.';
  if (isSilence(error)) return silentStorage;
  if (isStorageFailure(error)) return 'The storage of the search index cannot be used.';
  if (isTimeout(error)) return 'The search index does not answer in time.';
  return isMissing(error)
    ? 'The search index is missing or damaged. Run "kw search rebuild" to build a new one.'
    : 'The search index cannot be read. If this persists, run "kw search rebuild" to build a new one.';
}

type Guard = <T>(work: () => Promise<T>) => Promise<T>;

function readerOf(index: Opened, state: IndexState, guarded: Guard): IndexReader {
  const rank = async (
    query: LanceDb.FullTextQuery,
    options: RankOptions,
    more: readonly string[] = [],
  ): Promise<readonly Ranked[]> => {
    const { limit } = options;
    const conditions = [...conditionsOf(options), ...more];
    const hasChunk = limit <= mostWithChunk;
    const columns = [...(hasChunk ? chunkColumns : keyColumns), '_score'];
    const search = index.chunks.query().fullTextSearch(query).select(columns).limit(limit);
    if (conditions.length > 0) void search.where(conditions.map((one) => `(${one})`).join(' AND '));
    const rows = (await search.toArray({ timeoutMs })) as RankedRow[];
    const ranked = rows.map((row) => {
      const one = toRanked(row, '_score');
      return hasChunk ? { ...one, chunk: fromRow(row) } : one;
    });
    return ranked.sort(byRank);
  };

  return {
    rankTerms: (terms, options) =>
      guarded(async () => {
        const { MatchQuery } = await loadLance();
        return await rank(new MatchQuery(terms.join(' '), 'words'), options);
      }),

    rankPhrase: ({ words, terms }, options) =>
      guarded(async () => {
        const { BooleanQuery, MatchQuery, Occur, Operator, PhraseQuery } = await loadLance();
        if (terms !== null) {
          const groups = terms.map((group) => new MatchQuery(group.join(' '), 'words'));
          const whole = new MatchQuery(words.join(' '), 'words');
          const required = groups.map((one): [LanceDb.Occur, LanceDb.FullTextQuery] => [Occur.Must, one]);
          return await rank(new BooleanQuery([...required, [Occur.Should, whole]]), options);
        }
        const all = new MatchQuery(words.join(' '), 'words', { operator: Operator.And });
        const parts = partsOfPhrase(words).map((part) => new PhraseQuery(part.join(' '), 'words'));
        const [phrases, recent] = await Promise.all([
          rank(new BooleanQuery(parts.map((part) => [Occur.Must, part])), options),
          rank(all, options, [`write > ${state.indexed_writes}`]),
        ]);
        const known = new Set(phrases.map(keyOf));
        return [...phrases, ...recent.filter((one) => !known.has(keyOf(one)))].sort(byRank);
      }),

    rankVectors: (vector, { dimensions, model }, options) =>
      guarded(async () => {
        let table = index.vectors.get(dimensions);
        if (table === undefined) {
          table = index.connection.openTable(vectorsTable(index.id, dimensions));
          index.vectors.set(dimensions, table);
        }
        const conditions = conditionsOf(options);
        const search = (await table)
          .vectorSearch([...vector])
          .distanceType('cosine')
          .refineFactor(refineFactor)
          .where([`model = ${quoted(model)}`, ...conditions].join(' AND '))
          .select([...keyColumns, '_distance'])
          .limit(options.limit)
          // By default, only the 20 nearest parts of the index are read, which may have too few vectors of these resources
          // or of this model. Now more are read until there are enough.
          .maximumNprobes(0);
        const rows = (await search.toArray({ timeoutMs })) as RankedRow[];
        return rows.map((row) => {
          const { score, ...key } = toRanked(row, '_distance');
          return { ...key, score: 1 - score };
        });
      }),

    readChunks: (spans) => guarded(() => readSpans(index.chunks, spans)),
  };
}

function conditionsOf({ resourceIds, exceptIds = [] }: RankOptions): readonly string[] {
  return [
    ...(resourceIds === null ? [] : [ofResources(resourceIds)]),
    ...(exceptIds.length === 0 ? [] : [`NOT (${ofResources(exceptIds)})`]),
  ];
}

async function readSpans(
  table: LanceDb.Table,
  spans: readonly ChunkSpan[],
): Promise<readonly IndexedChunk[]> {
  if (spans.length === 0) return [];
  const rows: unknown[] = await table
    .query()
    .where(ofSpans(spans))
    .select([...chunkColumns])
    .toArray({ timeoutMs });
  return rows.map((row) => fromRow(row as ChunkRow));
}

type ChunkRow = Parameters<typeof fromRow>[0];
type RankedRow = Readonly<Record<string, unknown>>;

function toRanked(row: RankedRow, column: '_score' | '_distance'): Ranked {
  return {
    resource_id: String(row['resource_id']),
    run: Number(row['run']),
    index: Number(row['chunk']),
    score: Number(row[column]),
  };
}

const keyOf = ({ resource_id, run, index }: Ranked): string => `${resource_id} ${run} ${index}`;
