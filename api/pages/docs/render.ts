import type { OpenApiDocument } from '../../openapi/types.js';
import { html, prose, type Html } from '../html.js';
import { listEntries, listSharedAnswers, type Entry } from './entries.js';
import { methodAndPath, renderErrors, renderOperation } from './operation.js';
import { renderSchema } from './schema.js';

interface Surroundings {
  /** Where the files of the page are, relative to it, with a slash at its end. */
  readonly folder: string;
  readonly scripts: readonly string[];
  /** Whether the caller seems to be logged in. */
  readonly hasSession: boolean;
}

/** The document as a page for people. */
export function renderDocs(document: OpenApiDocument, { folder, scripts, hasSession }: Surroundings): Html {
  const { title, description } = document.info as { readonly title: string; readonly description: string };
  const entries = listEntries(document);
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, object>> };
  const ownOf = (tag: string): Entry[] => entries.filter(({ tags }) => tags.includes(tag));
  const sections = document.tags.map(
    ({ name, description: text }) =>
      html`<section aria-labelledby="tag-${name}">
        <h2 id="tag-${name}">${name}</h2>
        ${prose(text)} ${ownOf(name).map(renderOperation)}
      </section>`,
  );
  const named = Object.entries(schemas).map(
    ([name, schema]) =>
      html`<section id="schema-${name}">
        <h3>${name}</h3>
        ${renderSchema(schema)}
      </section> `,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: the interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}style.css">
<link rel="stylesheet" href="${folder}trial.css">
${scripts.map((name) => html`<link rel="modulepreload" href="${folder}${name}" />`)}
<script type="module" src="${folder}main.js"></script>
</head>
<body${hasSession && html` data-session`}>
<a class="skip" href="#main">Skip to the operations</a>
<nav aria-label="Operations">
<p><a href="./resources">Back to the web page</a></p>
${document.tags.map(
  ({ name }) =>
    html`<p><a href="#tag-${name}">${name}</a></p>
      <ul>
        ${ownOf(name).map(
          (entry) =>
            html`<li>
              <a href="#${entry.operationId}">${methodAndPath(entry)}<br />${entry.summary}</a>
            </li>`,
        )}
      </ul>`,
)}
<p><a href="#any">Answers to any request</a></p>
<p><a href="#schemas">Schemas</a></p>
</nav>
<main id="main">
<h1>${title}: the interface</h1>
${prose(description)}
<p>All of it as an <a href="api/v1/openapi.json">OpenAPI document</a>.</p>
${renderAccess()}
${sections}
<section aria-labelledby="any"><h2 id="any">Answers to any request</h2>
<p>Given before it is known which operation a request is for.</p>
${renderErrors(listSharedAnswers(document))}</section>
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${named}</section>
</main>
</body>
</html>
`;
}

/** Who calls that are tried are made as. */
function renderAccess(): Html {
  return html`<form id="access" class="access" aria-label="Who you are" autocomplete="off">
    <p id="access-state" role="status">Not logged in: <a href="./">log in at /</a> or paste a key.</p>
    <p id="access-script">Operations are tried by a script, which does not run here.</p>
    <p class="field">
      <label for="access-key">API key <small>forgotten with this page</small></label
      ><input
        id="access-key"
        name="key"
        type="password"
        autocomplete="off"
        placeholder="kw_…"
        spellcheck="false"
      />
    </p>
  </form>`;
}
