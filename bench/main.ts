// Measures the service against its limits: `npm run bench` (all) or `npm run bench -- NAME…`; `--scale 0.2` for a quick
// look. Prints a table for each bench and writes its figures to bench/results/NAME.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { benches } from './benches/index.js';
import { readArguments } from './kit/arguments.js';
import type { Result } from './kit/figure.js';
import { rowsOf } from './kit/rows.js';

const { names, scale } = readArguments(
  'bench',
  benches.map(({ name }) => name),
);

const results = new URL('results/', import.meta.url);
mkdirSync(results, { recursive: true });
for (const bench of benches) {
  if (!names.includes(bench.name)) continue;
  console.log(`\n${bench.name}: ${bench.about}`);
  const begun = Date.now();
  const found = await bench.run({ scale, say: (text) => console.log(`  ${text}`) });
  console.table(rowsOf(found));
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model ?? '',
    gib: Math.round(totalmem() / 1024 ** 3),
  };
  const file: Result = {
    bench: bench.name,
    about: bench.about,
    at: new Date(begun).toISOString(),
    seconds: Math.round((Date.now() - begun) / 1000),
    scale,
    node: process.version,
    machine,
    ...found,
  };
  writeFileSync(new URL(`${bench.name}.json`, results), `${JSON.stringify(file, null, 2)}\n`);
}
