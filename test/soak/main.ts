// The soak: registers resources, some of them hostile, while API, worker, PostgreSQL, Temporal and the object store are
// killed, frozen and disconnected again and again, then counts what came of them. Run it by "npm run soak -- --resources
// 200"; it ends with exit code 1 when anything is lost or doubled, fails for a reason that is not its own, when a process
// ends by itself, or when one holds more at the end than at the beginning.
import { parseArgs } from 'node:util';
import { eventually } from '../support/eventually.js';
import { audit } from './audit.js';
import { startFaults } from './faults.js';
import { watchHeaps, type HeapTrend } from './heap.js';
import { createPatientClient, runLoad } from './load.js';
import { parts, startParts } from './parts.js';
import { watchEnds, watchProcesses, type Trend } from './watch.js';

const { values } = parseArgs({
  options: {
    resources: { type: 'string', default: '2000' },
    together: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  },
});
const [resources, together, minutesOfFaults, seed] = [
  values.resources,
  values.together,
  values.minutes,
  values.seed,
].map(Number) as [number, number, number, number];
if (![resources, together, minutesOfFaults].every((count) => Number.isSafeInteger(count) && count > 0))
  throw new Error('--resources, --together and --minutes are whole numbers.');

/**
 * The last part of the resources comes without faults: the processes warm up over the first half of it, and are watched
 * over the second.
 */
const quietShare = 0.25;
/**
 * What a process may hold more in the end than in the beginning of that. Resident memory has garbage in it that may be
 * collected any time; the heap is looked at after a collection.
 */
const slack = { mibFactor: 1.25, mib: 64, heapMib: 4, descriptors: 16 } as const;

/** From so many resources on, every kind of fault must have happened to every part. */
const fullSize = 1_000;

const isFlat = ({ mib, descriptors }: Trend): boolean =>
  mib[1] <= mib[0] * slack.mibFactor + slack.mib &&
  (descriptors === null || descriptors[1] <= descriptors[0] + slack.descriptors);

const isHeapFlat = ({ mib }: HeapTrend): boolean => mib[1] <= mib[0] + slack.heapMib;

const began = Date.now();
const minutes = (): string => ((Date.now() - began) / 60_000).toFixed(1);
const say = (text: string): void => console.log(`${minutes()} min: ${text}`);

console.log(`${resources} resources, ${together} at a time, seed ${seed}`);
const soak = await startParts(seed);
const { stack } = soak;
const client = createPatientClient(stack, seed);
const loud = resources - Math.floor(resources * quietShare);
let settled = 0;
const progress = (offset: number) => (count: number) => {
  settled = offset + count;
  if ((offset + count) % Math.ceil(resources / 20) === 0) say(`${offset + count} are settled`);
};

const faults = startFaults(soak, seed);
let underFaults = loud;
/** On a machine that gets on slowly the last of the resources are spared. */
const calm = setTimeout(() => {
  underFaults = settled;
  say(`no more faults after ${minutesOfFaults} minutes, ${settled} are settled`);
  void faults.stop();
}, minutesOfFaults * 60_000);
const ends = watchEnds(soak, faults);
const ids = await runLoad(client, { from: 0, to: loud, together, onSettled: progress(0) });
clearTimeout(calm);
await faults.stop();
say(`the faults are over, ${client.repeats()} requests repeated`);

await eventually(async () => (await fetch(`${stack.api}/health/ready`)).ok);
const middle = Math.ceil((loud + resources) / 2);
const runQuietly = async (from: number, to: number): Promise<void> => {
  const load = { from, to, together: Math.min(together, 10), onSettled: progress(from) };
  for (const [number, id] of await runLoad(client, load)) ids.set(number, id);
};
await runQuietly(loud, middle);
const heaps = await watchHeaps(stack, ['api', 'worker']);
const watch = watchProcesses(stack);
await runQuietly(middle, resources);
const trends = watch.stop();
const heapTrends = await heaps.stop();
say('counting');
const found = await audit(soak, client, ids, seed);
const ended = ends.stop();
await soak.stop();

console.table(faults.counts);
console.table(found.hostile);
console.table({
  resources: found.resources,
  'settled while there were faults': underFaults,
  'hostile kinds among them': Object.keys(found.hostile).length,
  'processes that ended by themselves': ended.length,
  'requests repeated': client.repeats(),
  lost: found.lost,
  doubled: found.doubled,
  'FAILED for a reason not their own': found.misjudged,
  'objects left by faults': found.orphans,
  'of them swept': found.swept,
  minutes: Number(minutes()),
});
console.table(
  trends.map((trend) => ({
    process: trend.name,
    samples: trend.samples,
    'MiB at first': Math.round(trend.mib[0]),
    'MiB at last': Math.round(trend.mib[1]),
    'descriptors at first': trend.descriptors?.[0],
    'descriptors at last': trend.descriptors?.[1],
    flat: isFlat(trend),
  })),
);
console.table(
  heapTrends.map((trend) => ({
    process: trend.name,
    'MiB of heap at first': trend.mib[0].toFixed(1),
    'MiB of heap at last': trend.mib[1].toFixed(1),
    flat: isHeapFlat(trend),
  })),
);
for (const finding of [...ended, ...found.findings].slice(0, 50)) console.log(finding);
const missing = parts.flatMap((part) =>
  faults
    .kindsOf(part)
    .filter((kind) => faults.counts[part][kind] === 0)
    .map((kind) => `${part} was never ${kind}`),
);
for (const each of missing) console.log(each);
const isFine =
  found.resources === resources &&
  found.findings.length === 0 &&
  ended.length === 0 &&
  (missing.length === 0 || resources < fullSize) &&
  trends.every(isFlat) &&
  heapTrends.every(isHeapFlat);
if (!isFine) for (const line of faults.history) console.log(line);
console.log(isFine ? 'Nothing is lost, nothing is doubled.' : 'The soak failed.');
process.exit(isFine ? 0 : 1);
