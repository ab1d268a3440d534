import { basePath } from '../base-path.js';

/** Services below other paths of this host have their own sessions. */
const key = `kw-session${basePath}`;

/**
 * Whether this browser has logged in and not out. Scripts cannot see the session cookie; without this hint,
 * the first visit would start with a rejected request, and other tabs would not notice who logs in or out.
 */
export const mayHaveSession = (): boolean => notedKey() !== null;

/** The noted id of an API key. Without storage, an empty one: the browser asks the service each time. */
function notedKey(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return '';
  }
}

/** Notes the id of the API key of the session; null if there is no session. */
export function noteSession(keyId: string | null): void {
  try {
    if (keyId === null) localStorage.removeItem(key);
    else localStorage.setItem(key, keyId);
  } catch {
    // See `notedKey`.
  }
}

/** Calls `call` when another tab of this browser has logged in, with the id of its API key, or out, with null. */
export function onSessionElsewhere(call: (keyId: string | null) => void): void {
  window.addEventListener('storage', (event) => {
    // A null key means that all storage was cleared.
    // The event may be older than what this tab has noted since.
    if (event.key === key || event.key === null) call(notedKey());
  });
}
