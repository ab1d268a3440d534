import { ServiceError } from '../../core/errors.js';
import type { Config } from '../../runtime/settings/config.js';
import { tableFormat } from '../../runtime/search/lance/rows.js';
import type { SearchIndex } from '../../storage/search/indexes.js';

/** Throws SEARCH_UNAVAILABLE if this process cannot read the index: it is elsewhere, or of another version. */
export function assertReadable(index: SearchIndex, { searchUri }: Pick<Config, 'searchUri'>): void {
  const why =
    index.uri !== searchUri
      ? 'KW_SEARCH_URI has changed since the search index was built.'
      : index.format !== tableFormat
        ? 'The search index was built by another version of the service.'
        : null;
  if (why === null) return;
  const message = `${why} Run "kw search rebuild" to build a new one.`;
  throw new ServiceError('SEARCH_UNAVAILABLE', message);
}
