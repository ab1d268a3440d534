// Writes the benches' results into docs: `npm run bench:draw` reads bench/results/*.json, draws curves into
// docs/pictures/performance, and updates the table of docs/performance.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { benches } from '../benches/index.js';
import type { Result } from '../kit/figure.js';
import { drawCurve } from './plot.js';
import { withTable } from './table.js';

const results = benches
  .map(({ name }) => new URL(`../results/${name}.json`, import.meta.url))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result);
if (results.length === 0) throw new Error('bench/results is empty. Run `npm run bench` first.');

const pictures = new URL('../../docs/pictures/performance/', import.meta.url);
mkdirSync(pictures, { recursive: true });
for (const { bench, curve } of results) {
  if (curve === undefined) continue;
  writeFileSync(new URL(`${bench}.svg`, pictures), await drawCurve(bench, curve));
  console.log(`docs/pictures/performance/${bench}.svg`);
}
const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
writeFileSync(page, await withTable(readFileSync(page, 'utf8'), page, results));
console.log(`docs/performance.md: ${results.length} of ${benches.length} benches`);
