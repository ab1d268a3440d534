import type { OpenApiDocument, Operation } from '../openapi/types.js';
import { escapeHtml, renderPage } from './page.js';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: unknown;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The document as a page for people. */
export function renderDocs(document: OpenApiDocument): string {
  const { title, description } = document.info as { readonly title: string; readonly description: string };
  const entries = listEntries(document);
  const sections = document.tags.map((tag) => {
    const own = entries.filter(({ operation }) => operation.tags.includes(tag.name));
    return `<h2>${escapeHtml(tag.name)}</h2>${prose(tag.description)}${own.map(renderEntry).join('')}`;
  });
  const contents = entries.map(
    ({ method, path, operation }) =>
      `<li><a href="#${operation.operationId}">${label(method, path)}</a> ${escapeHtml(operation.summary)}</li>`,
  );
  const { schemas, responses } = document.components as {
    readonly [Kind in 'schemas' | 'responses']: Readonly<Record<string, object>>;
  };
  const named = Object.entries(schemas).map(
    ([name, schema]) => `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3>${json(schema)}`,
  );
  const anywhere = Object.entries(entries[0]?.operation.responses ?? {}).flatMap(([status, response]) => {
    const shared = responses[sharedName(response) ?? ''];
    return shared === undefined ? [] : renderResponse([status, shared]);
  });
  return renderPage(
    `${title}: the interface`,
    `<h1>${escapeHtml(title)}</h1>${prose(description)}
<p>All of it as an <a href="api/v1/openapi.json">OpenAPI document</a>.</p>
<nav><ul>${contents.join('')}</ul></nav>
${sections.join('')}<h2>Answers to any request</h2>
<table>${anywhere.join('')}</table>
<h2>Schemas</h2>${named.join('')}`,
  );
}

function listEntries(document: OpenApiDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const prefix = item.servers === undefined ? '/api/v1' : '';
    return methods
      .filter((method) => item[method] !== undefined)
      .map((method) => ({
        method: method.toUpperCase(),
        path: prefix + path,
        operation: item[method] as Operation,
      }));
  });
}

function renderEntry({ method, path, operation }: Entry): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const own = Object.entries(responses).filter(([, response]) => sharedName(response) === null);
  return `<section id="${operationId}"><h3>${label(method, path)}</h3>
<p><strong>${escapeHtml(summary)}.</strong></p>${prose(description)}
${renderParameters(parameters as readonly Parameter[])}
${requestBody === undefined ? '' : `<details><summary>Request</summary>${json((requestBody as { content: unknown }).content)}</details>`}
<details><summary>Answers</summary><table>${own.map(renderResponse).join('')}</table></details></section>`;
}

/** The name of a response that every operation refers to; null for one of an operation's own. */
function sharedName(response: object): string | null {
  return '$ref' in response ? String(response.$ref).slice('#/components/responses/'.length) : null;
}

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${escapeHtml(description)}<br><code>${escapeHtml(JSON.stringify(schema))}</code></td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function renderResponse([status, response]: [string, object]): string {
  const { description, content } = response as { readonly description: string; readonly content?: unknown };
  const isError = Number(status) >= 400;
  return `<tr><td>${status}</td><td>${escapeHtml(description)}${isError || content === undefined ? '' : json(content)}</td></tr>`;
}

const label = (method: string, path: string): string =>
  `<span class="method">${method}</span> <code>${escapeHtml(path)}</code>`;

/** Paragraphs, with `code` in them. */
function prose(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/`([^`]*)`/g, '<code>$1</code>')}</p>`)
    .join('');
}

/** JSON, with references as links. */
function json(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  return `<pre>${text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#schema-$1">$&</a>')}</pre>`;
}
