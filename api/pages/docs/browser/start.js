// Shows the OpenAPI document with Swagger UI, and the session that its requests use.

/** @type {(options: object) => unknown} */
const swaggerUi = Reflect.get(globalThis, 'SwaggerUIBundle');

/** Limits in milliseconds and characters for showing an event stream: Swagger UI only shows responses that end. */
const streamMs = 5_000;
const streamCharacters = 100_000;

/**
 * Works like fetch, but ends an event stream after a while.
 * @param {string} url
 * @param {RequestInit} options
 */
async function fetchWithEnd(url, { method, headers, body }) {
  const ending = new AbortController();
  const answer = await fetch(url, { method, headers, body, signal: ending.signal });
  if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const timer = setTimeout(() => ending.abort(), streamMs);
  let text = '';
  try {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length >= streamCharacters) ending.abort();
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  const { status, statusText } = answer;
  return new Response(text, { status, statusText, headers: answer.headers });
}

/** Labels the inputs that Swagger UI leaves unlabelled, and makes scrollable elements focusable by keyboard. */
function makeAccessible() {
  for (const input of document.querySelectorAll('input, select, textarea')) {
    if (input.hasAttribute('aria-label') || input.hasAttribute('id')) continue;
    const row = input.closest('tr')?.getAttribute('data-param-name');
    input.setAttribute('aria-label', row ?? input.getAttribute('placeholder') ?? 'Value');
  }
  document.querySelector('select#servers')?.setAttribute('aria-label', 'Server');
  for (const part of document.querySelectorAll('pre:not([tabindex])')) part.setAttribute('tabindex', '0');
}

async function showAccount() {
  const state = document.querySelector('#account');
  if (!state || document.body.dataset['session'] !== 'true') return;
  const answer = await fetch('api/v1/session');
  if (!answer.ok) return;
  const { api_key: key } = await answer.json();
  state.textContent = `Logged in with the key ${key.name} (${key.scopes.join(', ')}).`;
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const setColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColors);
setColors();

new MutationObserver(makeAccessible).observe(document.body, { childList: true, subtree: true });
swaggerUi({
  url: 'api/v1/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  // By default Swagger UI sends the document to its maker's validator service.
  validatorUrl: null,
  requestInterceptor: (/** @type {object} */ request) => Object.assign(request, { userFetch: fetchWithEnd }),
});
void showAccount();
