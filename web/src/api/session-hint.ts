import { basePath } from '../base-path.js';

/** Another service of this host, below another path, has a session of its own. */
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
    // A browser that keeps nothing is asked each time.
  }
}

/** Calls back when another tab of this browser has logged out. */
export function onLogOutElsewhere(call: () => void): void {
  window.addEventListener('storage', (event) => {
    // A null key: all of it was removed.
    if ((event.key === key || event.key === null) && !mayHaveSession()) call();
  });
}
