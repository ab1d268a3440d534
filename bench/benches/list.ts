import { percentile, spreadOf, type Bench, type Figure } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startGetter } from '../kit/load.js';
import { startParts, type Parts } from '../kit/parts.js';

const sizes = [10_000, 100_000, 1_000_000] as const;
const words = [
  'budget',
  'contract',
  'invoice',
  'lease',
  'letter',
  'manual',
  'memo',
  'minutes',
  'offer',
  'plan',
];

/** What is asked for: the newest, a word that every tenth name has, a code that one name has, and one that none has. */
const queries: Readonly<Record<string, (index: number) => string>> = {
  'GET /resources': () => '',
  '?q= of many': (index) => `?q=${words[index % words.length]}`,
  '?q= of one': (index) => `?q=${encodeURIComponent(code((index % 100) + 1))}`,
  '?q= of none': (index) => `?q=${encodeURIComponent(`${code(index + 1)} nowhere`)}`,
};

/** How a list's time grows with the number of resources. */
export const list: Bench = {
  name: 'list',
  about: `p95 of GET /resources and of ?q= one after the other, over ${sizes.map((size) => size.toLocaleString('en')).join(', ')} resources; the same over the first of these in a service beside it`,
  async run({ scale, say }) {
    const counts = sizes.map((size) => Math.round(size * scale));
    const requests = Math.max(20, Math.round(100 * scale));
    const [grown, small] = [await startParts(), await startParts()];
    const [api, beside] = [await grown.startApi(), await small.startApi()];
    const getters = [startGetter(1, api.key), startGetter(1, beside.key)] as const;
    try {
      await growTo(small, counts[0]!);
      const lines: Record<string, [number, number][]> = {};
      let figures: Figure[] = [];
      for (const count of counts) {
        say(`${count} resources, after ${(await timed(() => growTo(grown, count))).toFixed(0)} ms`);
        figures = [];
        for (const [what, query] of Object.entries(queries)) {
          const p95 = async (of: 0 | 1, base: string): Promise<number> => {
            const times: number[] = [];
            for (let index = 0; index < requests; index++)
              times.push(await timed(() => getters[of].get(`${base}/api/v1/resources${query(index)}`)));
            return percentile(times, 0.95);
          };
          const sides = await inTurns(5, {
            ours: () => p95(0, api.base),
            beside: () => p95(1, beside.base),
          });
          figures.push({ what, unit: 'ms', ...sides, goal: { atMost: 2 } });
          const { median } = spreadOf(sides.ours);
          (lines[what] ??= []).push([count, median]);
          say(`${what}: ${median.toFixed(1)} ms, beside it ${spreadOf(sides.beside).median.toFixed(1)} ms`);
        }
      }
      return { figures, curve: { x: 'resources', y: 'p95 in ms', lines } };
    } finally {
      for (const getter of getters) await getter.close();
      await grown.stop();
      await small.stop();
    }
  },
};

/** What the name of a resource ends with, by its number. */
function code(number: number): string {
  return (number * 7919 + 1_000_000_007).toString(16);
}

/** Adds rows up to a number, as if nobody watched, and has the planner look at them. */
async function growTo({ db }: Parts, count: number): Promise<void> {
  await db.raw('alter table resources disable trigger user');
  await db.raw(
    `insert into resources (id, name, type, source_type, status, created_at, updated_at)
     select gen_random_uuid(),
       (:words::text[])[1 + i % :many] || ' of ' || md5(i::text) || ' ' || to_hex(i::bigint * 7919 + 1000000007),
       'type-' || i % 7, case i % 3 when 0 then 'URL' else 'UPLOAD' end,
       (array['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'PENDING'])[1 + i % 5],
       now() - make_interval(secs => i), now() - make_interval(secs => i)
     from generate_series((select count(*) from resources) + 1, :count::bigint) as i`,
    { words, many: words.length, count },
  );
  await db.raw('alter table resources enable trigger user');
  await db.raw('vacuum analyze resources');
}
