// Shows answers: JSON and other texts as they are, event streams as they come, everything else to be saved.

/** @typedef {import('./call.js').Call} Call */

/** Characters of a text that are shown, and bytes of any answer that are kept to be saved. */
const mostShown = 200_000;
const mostKept = 64 * 1024 * 1024;

/**
 * @param {HTMLElement} place
 * @param {Call} call
 * @param {Response} response
 * @param {AbortSignal} signal Ends the reading; what came until then stays.
 */
export async function showAnswer(place, call, response, signal) {
  const type = response.headers.get('content-type') ?? '';
  const title = element('p', `${response.status} ${response.statusText}`);
  title.setAttribute('role', 'status');
  title.className = response.ok ? 'status' : 'status error';
  const body = element('pre', '');
  const note = element('p', '');
  place.replaceChildren(commandOf(call), title, headersOf(response));
  if (response.status === 401) place.append(element('p', 'Not logged in: log in at / or paste a key.'));
  place.append(note);

  const isText = /^text\/|json|xml|javascript/.test(type);
  if (isText) {
    // Long ones are scrolled, by keyboard too.
    body.tabIndex = 0;
    body.setAttribute('role', 'region');
    body.setAttribute('aria-label', 'Answer');
    place.append(body);
  }
  const isStream = type.startsWith('text/event-stream');
  const kept = await read(response, signal, (text) => {
    if (isStream) body.textContent = (body.textContent + text).slice(-mostShown);
  });
  if (kept.size === 0) {
    body.remove();
    note.textContent = kept.end === 'whole' ? 'Without a body.' : 'Stopped.';
    return;
  }
  if (isText && !isStream) show(body, note, await kept.blob.text(), type);
  if (kept.end !== 'whole')
    note.append(kept.end === 'stopped' ? ' Stopped.' : ' The rest was not read: use curl.');
  if (!isText) note.append(`${kept.size} bytes of ${type || 'no type'}. `);
  if (!isText || kept.size > mostShown) note.append(saveButton(kept.blob));
}

/**
 * @param {HTMLElement} place
 * @param {Call} call
 * @param {string} message
 */
export function showFailure(place, call, message) {
  const text = element('p', message);
  text.setAttribute('role', 'status');
  text.className = 'status error';
  place.replaceChildren(commandOf(call), text);
}

/**
 * @param {Response} response
 * @param {AbortSignal} signal
 * @param {(text: string) => void} onText Called with what came, as it comes.
 */
async function read(response, signal, onText) {
  const decoder = new TextDecoder();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const chunks = [];
  let size = 0;
  /** @type {'whole' | 'stopped' | 'cut'} */
  let end = 'whole';
  const reader = response.body?.getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      chunks.push(next.value);
      size += next.value.byteLength;
      onText(decoder.decode(next.value, { stream: true }));
      if (size > mostKept) {
        end = 'cut';
        await reader?.cancel();
        break;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    end = 'stopped';
  }
  return { size, end, blob: new Blob(chunks, { type: response.headers.get('content-type') ?? '' }) };
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} note
 * @param {string} text
 * @param {string} type
 */
function show(place, note, text, type) {
  let shown = text;
  if (type.includes('json') && text.length <= mostShown) {
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Shown as it is.
    }
  }
  place.textContent = shown.slice(0, mostShown);
  if (shown.length > mostShown) note.textContent = `The first ${mostShown} characters of ${shown.length}. `;
}

/** @param {Blob} blob */
function saveButton(blob) {
  const button = element('button', 'Save it');
  button.setAttribute('type', 'button');
  button.addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'answer';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  return button;
}

/** @param {Response} response */
function headersOf({ headers }) {
  const details = document.createElement('details');
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  details.append(element('summary', 'Headers'), element('pre', lines));
  return details;
}

/** @param {Call} call */
function commandOf({ command }) {
  const details = document.createElement('details');
  details.append(element('summary', 'As a command'), element('pre', command));
  return details;
}

/**
 * @param {string} name
 * @param {string} text
 */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
