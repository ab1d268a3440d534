// Who calls are made as: the holder of the key that was pasted, else of the session, else nobody.

/** Whether the page came to somebody with a cookie of a session, which scripts cannot read. */
const mayHaveSession = document.body.hasAttribute('data-session');

/**
 * Keeps the line that says so up to date.
 *
 * @returns {{ key(): string }} The key that is pasted; empty: the session's cookie counts.
 */
export function watchAccess() {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('access'));
  const state = /** @type {HTMLElement} */ (document.getElementById('access-state'));
  const input = /** @type {HTMLInputElement} */ (document.getElementById('access-key'));
  document.getElementById('access-script')?.remove();
  const nobody = [...state.childNodes];
  let session = '';

  const say = () => {
    const key = input.value.trim();
    if (key !== '') state.replaceChildren('Calls are made with the key you pasted.');
    else if (session !== '') state.replaceChildren(session);
    else state.replaceChildren(...nobody);
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', say);
  if (mayHaveSession) {
    void readSession().then((found) => {
      session = found;
      say();
    });
  }
  say();
  return { key: () => input.value.trim() };
}

/** What to say of the session; empty when it has ended. */
async function readSession() {
  const response = await fetch('api/v1/session').catch(() => null);
  if (response === null || !response.ok) return '';
  const { api_key } = await response.json();
  return `Logged in with the key ${api_key.name} (${api_key.scopes.join(', ')}).`;
}
