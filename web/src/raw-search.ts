import { useSearch } from 'wouter/use-browser-location';

/**
 * Returns the query of the URL for the router, which decodes it before it is parsed, and so decoded again: a value
 * `R%26D` became `R`. With its percent signs encoded, the router's decoding returns it as it is.
 */
export const useRawSearch = (): string => useSearch().replaceAll('%', '%25');
