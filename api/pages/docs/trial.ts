import { html, type Html } from '../html.js';
import type { Content, Entry, Parameter } from './entries.js';
import { exampleText, labelOf } from './examples.js';

/** The form that tries an operation. What it holds is sent by browser/main.js. */
export function renderTrial(entry: Entry): Html {
  const { operationId, method, path, parameters, requests, access } = entry;
  const types = Object.keys(requests);
  return html`<details class="trial">
    <summary>Try it</summary>
    <form
      data-method="${method}"
      data-path="${path.slice(1)}"
      data-access="${access}"
      aria-label="Try ${operationId}"
      autocomplete="off"
    >
      ${access === 'token' && field(`${operationId}-token`, 'The token of an attempt', (id) => html`<input id="${id}" name="token" type="password" autocomplete="off" placeholder="kwt_…" required />`)}
      ${parameters.map((parameter) => renderParameter(operationId, parameter))}
      ${
        types.length > 1 &&
        field(
          `${operationId}-type`,
          'Media type',
          (id) =>
            html`<select id="${id}" name="media-type">
              ${types.map((type) => html`<option>${type}</option>`)}
            </select>`,
        )
      }
      ${types.map((type) => renderRequest(entry, type, requests[type] ?? {}))}
      <p class="actions">
        <button disabled>Send</button> <button type="button" value="stop" hidden>Stop</button>
      </p>
    </form>
  </details>`;
}

function field(id: string, label: string | Html, control: (id: string) => Html): Html {
  return html`<p class="field"><label for="${id}">${label}</label>${control(id)}</p>`;
}

function renderParameter(operationId: string, { name, in: place, required, schema }: Parameter): Html {
  const label = html`<code>${name}</code> <small>${place}</small>`;
  return field(`${operationId}-${place}-${name}`, label, (id) => {
    const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum;
    if (choices !== undefined) {
      return html`<select id="${id}" name="${name}" data-in="${place}">
        ${!required && html`<option value=""></option>`}${choices.map((choice) => html`<option>${choice}</option>`)}
      </select>`;
    }
    const [example = ''] = schema.examples ?? [];
    const placeholder = Array.isArray(example) ? example.join(',') : exampleText(example);
    return html`<input
      id="${id}"
      name="${name}"
      data-in="${place}"
      placeholder="${placeholder}"
      ${required && html` required`}
    />`;
  });
}

function renderRequest(entry: Entry, type: string, content: Content): Html {
  const fields =
    type === 'multipart/form-data' ? renderForm(entry, content) : renderText(entry, type, content);
  return html`<div class="request" data-media-type="${type}">${fields}</div>`;
}

/** A text to write the body into, with the examples to choose from. */
function renderText({ operationId, isBodyRequired }: Entry, type: string, content: Content): Html {
  const examples = Object.values(content.examples ?? {});
  const id = `${operationId}-${type.replace(/\W+/g, '-')}`;
  const [first] = examples;
  const options = examples.map(
    (example, index) =>
      html`<option value="${exampleText(example.value)}">
        ${labelOf(example, `Example ${index + 1}`)}
      </option>`,
  );
  return html`${
    examples.length > 1 &&
    field(
      `${id}-example`,
      'Example',
      (choice) =>
        html`<select id="${choice}" data-fills="${id}">
          ${options}
        </select>`,
    )
  }
  ${field(
    id,
    html`Body <small>${type}${!isBodyRequired && ', may be left out'}</small>`,
    () =>
      html`<textarea id="${id}" name="body" rows="8" spellcheck="false">
${first === undefined ? '' : exampleText(first.value)}</textarea>`,
  )}`;
}

/** An input for each field of a form. */
function renderForm({ operationId, form }: Entry, { examples = {} }: Content): Html[] {
  const [example] = Object.values(examples);
  const values = (example?.value ?? {}) as Readonly<Record<string, string>>;
  return form.map(({ name, isFile, isRequired }) =>
    field(`${operationId}-form-${name}`, html`<code>${name}</code> <small>form</small>`, (id) => {
      const required = isRequired && html` required`;
      return isFile
        ? html`<input id="${id}" name="${name}" data-in="form" type="file" ${required} />`
        : html`<input id="${id}" name="${name}" data-in="form" value="${values[name]}" ${required} />`;
    }),
  );
}
