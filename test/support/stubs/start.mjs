// "kw start" with stubs for API and worker.
import { fileURLToPath } from 'node:url';

import { start } from '../../../dist/bin/start.js';

const module = (name) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
try {
  await start(process.env, { api: module('api'), worker: module('worker') });
  process.exit(0);
} catch (error) {
  // As `kw` does.
  const isExpected = /^(Config|Start|Service)Error$/.test(error.name);
  process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
  process.exit(1);
}
