import { basePath } from '../base-path.js';

/** Services below other paths of this host have their own sessions. */
const key = `kw-session${basePath}`;

/**
 * Whether this browser has logged in and not out. Scripts cannot see the session cookie; without this hint,
 * the first visit would start with a rejected request. It has no other use.
 */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export function noteSession(isThere: boolean): void {
  try {
    if (isThere) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {
    // Without storage, the browser asks the service each time.
  }
}

/** Calls `call` when another tab of this browser has logged out. */
export function onLogOutElsewhere(call: () => void): void {
  window.addEventListener('storage', (event) => {
    // A null key means that all storage was cleared.
    if ((event.key === key || event.key === null) && !mayHaveSession()) call();
  });
}
