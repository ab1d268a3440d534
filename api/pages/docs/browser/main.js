// Makes the forms of the page work: each sends its operation's request and shows the answer.
import { watchAccess } from './access.js';
import { showAnswer, showFailure } from './answer.js';
import { toCall } from './call.js';

const access = watchAccess();

for (const form of document.querySelectorAll('form[data-path]')) {
  if (form instanceof HTMLFormElement) prepare(form);
}

/** @param {HTMLFormElement} form */
function prepare(form) {
  const send = /** @type {HTMLButtonElement} */ (form.querySelector('button:not([type])'));
  const stop = /** @type {HTMLButtonElement} */ (form.querySelector('button[value=stop]'));
  const place = document.createElement('div');
  form.after(place);
  let ongoing = new AbortController();

  stop.addEventListener('click', () => ongoing.abort());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ongoing = new AbortController();
    send.disabled = true;
    stop.hidden = false;
    void carryOut(form, place, ongoing.signal).finally(() => {
      send.disabled = false;
      stop.hidden = true;
    });
  });
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) follow(form, target);
  });
  const types = form.elements.namedItem('media-type');
  if (types instanceof HTMLSelectElement) follow(form, types);
  send.disabled = false;
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function carryOut(form, place, signal) {
  const call = toCall(form, access.key());
  try {
    const response = await fetch(call.url, { ...call.init, signal });
    await showAnswer(place, call, response, signal);
  } catch (error) {
    showFailure(place, call, signal.aborted ? 'Stopped.' : `There was no answer: ${error}`);
  }
}

/**
 * Shows the fields of the media type that is chosen, and the example that is.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLSelectElement} select
 */
function follow(form, select) {
  const text = select.dataset['fills'] && document.getElementById(select.dataset['fills']);
  if (text instanceof HTMLTextAreaElement) text.value = select.value;
  if (select.name !== 'media-type') return;
  for (const part of form.querySelectorAll('[data-media-type]')) {
    if (!(part instanceof HTMLElement)) continue;
    part.hidden = part.dataset['mediaType'] !== select.value;
    // What is hidden is not asked for.
    for (const control of part.querySelectorAll('input, textarea')) {
      control.toggleAttribute('disabled', part.hidden);
    }
  }
}
