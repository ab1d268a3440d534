import { useSearch } from 'wouter/use-browser-location';

/**
 * Returns the query of the URL for the router. The router decodes it, and whoever parses it decodes it again: a value
 * `R%26D` became `R`. Encoded percent signs undo the first decoding.
 */
export const useRawSearch = (): string => useSearch().replaceAll('%', '%25');
