import { renderPage } from './page.js';

/** The page at the root. */
export function renderStart(): string {
  return renderPage(
    'Knowledge Warehouse',
    `<h1>Knowledge Warehouse</h1>
<p>Turns files and URLs into knowledge: every resource runs through a pipeline of plugins, which make artifacts.</p>
<ul>
<li><a href="docs">The interface</a>, and the same as an <a href="api/v1/openapi.json">OpenAPI document</a></li>
<li><a href="health/ready">Whether everything that is needed answers</a></li>
</ul>`,
  );
}
