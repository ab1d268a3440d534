// What a form says, as a request and as a command.

/** @typedef {{ readonly method: string, readonly url: URL, readonly init: RequestInit, readonly command: string }} Call */

/**
 * @param {HTMLFormElement} form
 * @param {string} key The key that was pasted; empty: none.
 * @returns {Call}
 */
export function toCall(form, key) {
  const { method = 'GET', path = '', access } = form.dataset;
  const values = (/** @type {string} */ place) =>
    controlsOf(form)
      .filter((control) => control.dataset['in'] === place && !control.disabled && control.value !== '')
      .map((control) => /** @type {const} */ ([control.name, control]));
  const url = new URL(
    values('path').reduce(
      (filled, [name, { value }]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    ),
    document.baseURI,
  );
  for (const [name, { value }] of values('query')) url.searchParams.set(name, value);
  const headers = new Headers(values('header').map(([name, { value }]) => [name, value]));
  const own = form.elements.namedItem('token');
  const token = access === 'key' ? key : own instanceof HTMLInputElement ? own.value.trim() : '';
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  const body = toBody(form, values('form'));
  if (typeof body === 'string') headers.set('content-type', mediaTypeOf(form) ?? 'application/json');
  // A key stands for itself; without one the session's cookie goes along, where the operation asks who calls.
  const credentials = access === 'key' && token === '' ? 'same-origin' : 'omit';
  /** @type {RequestInit} */
  const init = { method, headers, credentials, cache: 'no-store', ...(body !== null && { body }) };
  return { method, url, init, command: toCommand(method, url, headers, body, access) };
}

/**
 * @param {HTMLFormElement} form
 * @returns {(HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[]}
 */
function controlsOf(form) {
  return [...form.querySelectorAll('input, select, textarea')].filter(
    (control) =>
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement,
  );
}

/** @param {HTMLFormElement} form */
function mediaTypeOf(form) {
  const part = form.querySelector('[data-media-type]:not([hidden])');
  return part instanceof HTMLElement ? part.dataset['mediaType'] : undefined;
}

/**
 * @param {HTMLFormElement} form
 * @param {(readonly [string, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement])[]} fields
 * @returns {FormData | string | null}
 */
function toBody(form, fields) {
  const type = mediaTypeOf(form);
  if (type === undefined) return null;
  if (type !== 'multipart/form-data') {
    const text = form.querySelector('textarea:enabled');
    return text instanceof HTMLTextAreaElement && text.value.trim() !== '' ? text.value : null;
  }
  const body = new FormData();
  for (const [name, control] of fields) {
    const file = control instanceof HTMLInputElement ? control.files?.[0] : undefined;
    body.set(name, file ?? control.value);
  }
  return body;
}

/**
 * The same for a shell. Keys and tokens are variables in it.
 *
 * @param {string} method
 * @param {URL} url
 * @param {Headers} headers
 * @param {FormData | string | null} body
 * @param {string | undefined} access
 */
function toCommand(method, url, headers, body, access) {
  const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const variable = { key: '$KW_KEY', token: '$KW_TOKEN' }[access ?? ''];
  return [
    `curl -sS -X ${method} ${quote(url.href)}`,
    ...(variable === undefined ? [] : [`-H "Authorization: Bearer ${variable}"`]),
    ...[...headers]
      .filter(([name]) => name !== 'authorization')
      .map((each) => `-H ${quote(each.join(': '))}`),
    ...(body instanceof FormData
      ? [...body].map(([name, value]) =>
          value instanceof File ? `-F ${quote(`${name}=@${value.name}`)}` : `-F ${quote(`${name}=${value}`)}`,
        )
      : []),
    ...(typeof body === 'string' ? [`--data-raw ${quote(body)}`] : []),
  ].join(' \\\n  ');
}
