// Shows the OpenAPI document with Swagger UI, and says whose session its calls use.

/** @type {(options: object) => unknown} */
const swaggerUi = Reflect.get(globalThis, 'SwaggerUIBundle');

/**
 * The limits for showing a stream of events, in time and in characters: Swagger UI only shows answers that
 * end.
 */
const streamMs = 5_000;
const streamCharacters = 100_000;

/**
 * Does what fetch does, but ends a stream of events after a while.
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

/** Names the inputs that Swagger UI leaves without a name, and lets the keyboard reach what scrolls. */
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
  // By default it sends the document to a service of its makers.
  validatorUrl: null,
  requestInterceptor: (/** @type {object} */ request) => Object.assign(request, { userFetch: fetchWithEnd }),
});
void showAccount();
