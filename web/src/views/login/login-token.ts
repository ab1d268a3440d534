import { basePath } from '../../base-path.js';

/** Returns the token in the fragment of a login link, and removes it from the URL and the browser's history. */
export function takeLoginToken(): string | null {
  const { pathname, hash, search } = window.location;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (pathname !== `${basePath}/login` || token === null) return null;
  window.history.replaceState(null, '', pathname + search);
  return token;
}
