// Writes the types of the REST interface that the page is written against, from the
// schemas of the OpenAPI document. Run after a build. `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';

import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';

import { buildDocument } from '../dist/api/openapi/document.js';
import { routes } from '../dist/api/routes/index.js';

const file = new URL('../web/src/api/schema.d.ts', import.meta.url);

/** What the file should hold now. */
async function renderWebTypes() {
  const { openapi, info, components } = buildDocument(routes, 'http://127.0.0.1:8080');
  const document = structuredClone({ openapi, info, components, paths: {} });
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
  const options = (await prettier.resolveConfig(file)) ?? {};
  return prettier.format(`// Made by scripts/web-types.mjs from the OpenAPI document.\n\n${types}`, {
    ...options,
    parser: 'typescript',
  });
}

const types = await renderWebTypes();
if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  console.error('web/src/api/schema.d.ts is of another interface: run node scripts/web-types.mjs');
  process.exitCode = 1;
}
