// Writes the types of the REST interface that the page is written against, from the
// schemas of the OpenAPI document. Run after a build.
import { writeFileSync } from 'node:fs';

import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';

import { buildDocument } from '../dist/api/openapi/document.js';
import { routes } from '../dist/api/routes/index.js';

const file = new URL('../web/src/api/schema.d.ts', import.meta.url);

/** The text of web/src/api/schema.d.ts as it should be now. */
export async function renderWebTypes() {
  const { openapi, info, components } = buildDocument(routes, 'http://127.0.0.1:8080');
  const document = structuredClone({ openapi, info, components, paths: {} });
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
  const options = (await prettier.resolveConfig(file)) ?? {};
  return prettier.format(`// Made by scripts/web-types.mjs from the OpenAPI document.\n\n${types}`, {
    ...options,
    parser: 'typescript',
  });
}

if (process.argv[1] === import.meta.filename) writeFileSync(file, await renderWebTypes());
