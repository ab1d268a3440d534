import { ServiceError } from '../../../core/errors.js';
import type { Config } from '../../settings/config.js';
import { tableFormat } from './rows.js';

/** Throws SEARCH_UNAVAILABLE if this process cannot read the index: it is elsewhere, or of another version. */
export function assertReadable(
  index: { readonly uri: string; readonly format: number },
  { searchUri }: Pick<Config, 'searchUri'>,
): void {
  const why =
    index.uri !== searchUri
      ? 'KW_SEARCH_URI has changed since the search index was built.'
      : index.format !== tableFormat
        ? 'The search index was built by another version of the service.'
        : null;
  if (why === null) return;
  throw new ServiceError('SEARCH_UNAVAILABLE', `${why} Run "kw search rebuild" to build a new one.`);
}
