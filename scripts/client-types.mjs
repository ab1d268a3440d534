// Writes the REST API's types for packages/client from the OpenAPI document. Runs with tsx before the server is built,
// since the server depends on the client.
import { writeFileSync } from 'node:fs';

import openapiTS, { astToString } from 'openapi-typescript';

import { buildDocument } from '../api/openapi/document.ts';
import { routes } from '../api/routes/index.ts';

const file = new URL('../packages/client/src/schema.ts', import.meta.url);

/** Copies a value without examples, which are longer than the types themselves. */
const withoutExamples = (value) => {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples');
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutExamples(inner)]));
};

const root = '/api/v1';

/** Whether a path of the API is for clients: not a page, and not an endpoint for workers with an attempt's token. */
const isForClients = ([path]) => path.startsWith(`${root}/`) && !path.startsWith(`${root}/internal/`);

const document = buildDocument(routes, 'http://127.0.0.1:8080');
const types = await openapiTS(
  withoutExamples({
    ...document,
    paths: Object.fromEntries(
      Object.entries(document.paths)
        .filter(isForClients)
        .map(([path, operations]) => [path.slice(root.length), operations]),
    ),
  }),
  { defaultNonNullable: false },
);
writeFileSync(
  file,
  `// Made by scripts/client-types.mjs from the OpenAPI document.\n\n${astToString(types)}`,
);
