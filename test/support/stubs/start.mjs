// "kw start" with stubs for API and worker.
import { fileURLToPath } from 'node:url';

import { explain } from '../../../dist/cli/operations/expected-error.js';
import { start } from '../../../dist/cli/operations/start.js';

const module = (name) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
try {
  await start(process.env, { api: module('api'), worker: module('worker') });
  process.exit(0);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
