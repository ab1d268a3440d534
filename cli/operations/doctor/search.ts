import { messageOf } from '../../../core/errors.js';
import { assertReadable } from '../../../runtime/search/lance/readable.js';
import { createLanceEngine } from '../../../runtime/search/lance/reader.js';
import { lanceLocation } from '../../../runtime/search/lance/location.js';
import type { Config } from '../../../runtime/settings/config.js';
import type { Db } from '../../../storage/database/connection.js';
import { explainSearchRefusal } from '../../../storage/object-store/search-bucket.js';
import { readBacklog } from '../../../storage/search/changes.js';
import { readCurrentIndex, type SearchIndex } from '../../../storage/search/indexes.js';
import { about, type Finding } from './finding.js';

const search = about('search');
/** Changes are applied within seconds, unless something is wrong or very many wait. */
const lateSeconds = 60;

/** Checks whether the search index can be read and is up to date. */
export async function checkSearch(db: Db, config: Config): Promise<Finding> {
  const refusal = await explainSearchRefusal(config.searchUri, config.s3);
  if (refusal !== null) return search.fail(refusal, 'Create the bucket, or correct KW_SEARCH_URI.');
  const index = await readCurrentIndex(db);
  const isEmpty = index === null || index.resources === 0;
  const problem = isEmpty ? null : await tryIndex(index, config);
  if (problem !== null) return search.warn(problem.message, problem.remedy);
  const { pending, oldest, oldestSeconds } = await readBacklog(db);
  if (oldest !== null && oldestSeconds > lateSeconds)
    return search.warn(
      `Pending changes: ${pending}, the oldest since ${oldest.toISOString()}: searches do not show them yet.`,
      'Check that a worker runs. If one does, its log says why.',
    );
  if (isEmpty) return search.ok('The index is empty.');
  const since = index.upkeep_failing_since;
  if (since !== null)
    return search.warn(
      `The upkeep of the index has been failing since ${since.toISOString()}: searches become slower.`,
      'The log of the worker says why. If it persists, run "kw search rebuild".',
    );
  return search.ok(`Resources: ${index.resources}, chunks: ${index.chunks}, pending changes: ${pending}.`);
}

/** Searches for a word; returns why it failed, or null. */
async function tryIndex(
  index: SearchIndex,
  config: Config,
): Promise<{ readonly message: string; readonly remedy: string | null } | null> {
  const engine = createLanceEngine(lanceLocation(config));
  try {
    assertReadable(index, config);
    const reader = await engine.open(index);
    await reader.rankTerms(['a'], { limit: 1, resourceIds: null });
    return null;
  } catch (error) {
    const text = messageOf(error);
    const remedy = remedyFor(text);
    // The second sentence would be the remedy.
    return { message: remedy === null ? text : text.replace(/(?<=\.) .*/s, ''), remedy };
  } finally {
    engine.close();
  }
}

/** What to do about a failed search; null if its message says so. */
export function remedyFor(message: string): string | null {
  if (message.includes('kw search rebuild'))
    return 'Check KW_SEARCH_URI and, for a folder, KW_DATA_DIR. If they are right, run "kw search rebuild".';
  if (message.startsWith('The storage of the search index'))
    return 'Check KW_SEARCH_URI and, for a bucket, KW_S3_*. If they are right, repair the storage: a new index would not help.';
  return message.includes('in time')
    ? 'The log of the API says why. If it persists, run "kw search rebuild".'
    : null;
}
