import { html, prose, withCode, type Html } from '../html.js';
import type { Answer, Content, Entry, Parameter } from './entries.js';
import { renderExamples } from './examples.js';
import { renderSchema } from './schema.js';
import { renderTrial } from './trial.js';

/** An operation: what it is for, what it takes, what it answers, and a form to try it. */
export function renderOperation(entry: Entry): Html {
  const { operationId, summary, description, parameters, requests, answers } = entry;
  const isError = ([status]: readonly [string, Answer]): boolean => Number(status) >= 400;
  const all = Object.entries(answers);
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
    <h3 id="${operationId}-title">${methodAndPath(entry)}</h3>
    <p class="summary">
      <strong>${summary}.</strong>
      <a class="here" href="#${operationId}" aria-label="Link to ${operationId}">#</a>
    </p>
    ${prose(description)} ${parameters.length > 0 && renderParameters(parameters)}
    ${Object.entries(requests).map(([type, content]) => renderBody(`Request: ${type}`, content))}
    ${all.filter((each) => !isError(each)).map(renderAnswer)} ${renderErrors(all.filter(isError))}
    ${renderTrial(entry)}
  </article> `;
}

/** The method and the path, as headings and the contents have them. */
export function methodAndPath({ method, path }: Pick<Entry, 'method' | 'path'>): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>`;
}

function renderParameters(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr>
        <th scope="row"><code>${name}</code></th>
        <td>${place}${required && ', required'}</td>
        <td>${withCode(description)} ${renderSchema(schema)}</td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Parameter</th>
        <th scope="col">In</th>
        <th scope="col">What it is</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function renderBody(title: string, content: Content): Html {
  return html`<details>
    <summary>${title}</summary>
    ${content.schema !== undefined && renderSchema(content.schema)}${renderExamples(content)}
  </details>`;
}

function renderAnswer([status, { description, headers = {}, content = {} }]: readonly [
  string,
  Answer,
]): Html {
  const bodies = Object.entries(content);
  const fields = Object.entries(headers).map(
    ([name, header]) => html`<li><code>${name}</code> ${withCode(header.description)}</li>`,
  );
  const title = html`<code>${status}</code> ${withCode(description)}`;
  if (bodies.length === 0 && fields.length === 0) return html`<p class="answer">${title}</p>`;
  return html`<details>
    <summary>${title}</summary>
    ${
      fields.length > 0 &&
      html`<p>Headers</p>
        <ul>
          ${fields}
        </ul>`
    }
    ${bodies.map(
      ([type, each]) =>
        html`<p>${type}</p>
          ${each.schema !== undefined && renderSchema(each.schema)}${renderExamples(each)}`,
    )}
  </details>`;
}

/** Every error with its code and, as an example, its message. */
export function renderErrors(answers: readonly (readonly [string, Answer])[]): Html {
  const rows = answers.flatMap(([status, { content = {} }]) =>
    Object.values(content['application/json']?.examples ?? {}).map(({ value }) => {
      const { error } = value as { readonly error: { readonly code: string; readonly message: string } };
      return html`<tr>
        <td>${status}</td>
        <th scope="row"><code>${error.code}</code></th>
        <td>${error.message}</td>
      </tr>`;
    }),
  );
  return html`<details>
    <summary>Errors</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
          <th scope="col">Message, for example</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </details>`;
}
