// Draws where our processes spend their time under the load of a bench: `npm run bench:profile -- NAME…` (engine, read, search);
// `--scale 0.2` for a quick look. Writes a flame graph for each process to docs/pictures/performance, and prints what
// costs most.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readThreads } from './call-tree.js';
import { costsOf, largest, type Cost } from './costs.js';
import { drawFlameGraph } from './flame-graph.js';
import { profiledLoads, type Recording } from './loads.js';
import { createPlaces } from './places.js';

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const scale = Number(values.scale);
if (!(scale > 0)) throw new Error('--scale is a number above 0.');
const names = positionals.length > 0 ? positionals : Object.keys(profiledLoads);
const unknown = names.filter((name) => !(name in profiledLoads));
if (unknown.length > 0)
  throw new Error(`No load ${unknown.join(', ')}: there are ${Object.keys(profiledLoads).join(', ')}.`);

const pictures = new URL('../../docs/pictures/performance/', import.meta.url);
mkdirSync(pictures, { recursive: true });
const placeOf = createPlaces();
for (const name of names) {
  console.log(`\n${name}`);
  const recordings = await profiledLoads[name]!({ scale, say: (text) => console.log(`  ${text}`) });
  for (const recording of recordings) draw(name, recording);
}

function draw(load: string, { name, title, folder, from, to, cpuSeconds }: Recording): void {
  const threads = readThreads(folder, from, to, placeOf);
  const seconds = (microseconds: number): string => (microseconds / 1_000_000).toFixed(1);
  const seen = threads.map(({ thread, root }) => `${thread} ${seconds(root.total)} s`).join(', ');
  const subtitle = `${seconds(to - from)} s; not idle: ${seen}; processor time of the process, with threads that run no JavaScript: ${cpuSeconds.toFixed(1)} s`;
  const picture = `flame-${load}-${name}.svg`;
  writeFileSync(new URL(picture, pictures), drawFlameGraph({ title, subtitle, threads }));
  console.log(`\n${title}\n${subtitle}\n${picture}`);
  const costs = costsOf(threads.map(({ root }) => root));
  const list = (what: string, chosen: readonly Cost[]): void => {
    console.log(`${what}, of all time that is not idle`);
    console.table(Object.fromEntries(chosen.map((cost) => [cost.group, percents(cost)])));
  };
  list('largest by self time', largest(costs, 'self'));
  // Almost everything is called by Node.
  const called = costs.filter(({ kind }) => kind === 'ours' || kind === 'package');
  list('packages and files of ours, largest by total time', largest(called, 'total'));
}

function percents({ self, total }: Cost): Record<string, string> {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return { self: percent(self), total: percent(total) };
}
