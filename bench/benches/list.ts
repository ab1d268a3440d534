import { createHash } from 'node:crypto';
import { percentile, spreadOf, type Bench, type Figure } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startGetter } from '../kit/load/load.js';
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

/**
 * The queries: the newest; a word in every tenth name, a code in one name, and one in no name; each filter, and pairs
 * of filters, with values that many, few and single resources have; other orders.
 */
const queries: Readonly<Record<string, (index: number) => string>> = {
  'GET /resources': () => '',
  '?q= of many': (index) => `?q=${words[index % words.length]}`,
  '?q= of one': (index) => `?q=${encodeURIComponent(code((index % 100) + 1))}`,
  '?q= of none': (index) => `?q=${encodeURIComponent(`${code(index + 1)} nowhere`)}`,
  '?type': (index) => `?type=type-${index % 7}`,
  '?status, two of them': () => '?status=PENDING&status=FAILED',
  '?type&status': (index) => `?type=type-${index % 7}&status=FAILED`,
  '?status&created_before': (index) => `?status=FAILED&created_before=${secondsAgo(index * 50)}`,
  '?updated_after': (index) => `?updated_after=${secondsAgo(500 + index)}`,
  '?error_code': (index) => `?error_code=CODE_${index % 9}`,
  '?failed_plugin': (index) => `?failed_plugin=plugin-${index % 5}`,
  '?is_enabled=false': () => '?is_enabled=false',
  '?connector_id': () => `?connector_id=${connector}`,
  '?sha256': (index) => `?sha256=${hashOf((index % 100) + 1)}`,
  '?waiting=true': () => '?waiting=true',
  '?metadata of many': (index) => `?metadata.team=team-${index % 20}`,
  '?metadata of few': () => '?metadata.pinned=true',
  '?metadata of one': (index) => `?metadata.case=case-${(index % 100) + 1}`,
  '?metadata&type': (index) => `?metadata.team=team-${index % 20}&type=type-${index % 7}`,
  '?metadata from a number of many': (index) => `?metadata.year[gte]=${2000 + (index % 20)}`,
  '?metadata from a number of none': (index) => `?metadata.year[gte]=${3000 + index}`,
  '?sort=name': () => '?sort=name',
  '?sort=-size_bytes': () => '?sort=-size_bytes',
  '?sort=-updated_at&type': (index) => `?sort=-updated_at&type=type-${index % 7}`,
  '?count=true': () => '?count=true',
  '?count=true of few': () => '?count=true&metadata.pinned=true',
};

const connector = '019aa09d-3c55-7e90-8d41-2b7f6a1c0e58';

const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

const hashOf = (number: number): string => createHash('sha256').update(String(number)).digest('hex');

/** How the time for a list grows with the number of resources. */
export const list: Bench = {
  name: 'list',
  about: `p95 of GET /resources with each filter and order, one request at a time, over ${sizes.map((size) => size.toLocaleString('en')).join(', ')} resources; the same requests to a second service with the first of these numbers`,
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

/** Returns the code at the end of a resource's name. */
function code(number: number): string {
  return (number * 7919 + 1_000_000_007).toString(16);
}

/**
 * Adds rows up to a number without running triggers, and updates the planner's statistics. Rare values occur about
 * fifty times at every size; otherwise a list of them would grow, too.
 */
async function growTo({ db }: Parts, count: number): Promise<void> {
  await db.raw('alter table resources disable trigger user');
  await db.raw(
    `insert into resources (id, name, type, source_type, status, created_at, updated_at, is_enabled, size_bytes,
       sha256, connector_id, error_code, failed_plugin, metadata)
     select gen_random_uuid(),
       (:words::text[])[1 + i % :many] || ' of ' || md5(i::text) || ' ' || to_hex(i::bigint * 7919 + 1000000007),
       'type-' || i % 7, case i % 3 when 0 then 'URL' else 'UPLOAD' end,
       (array['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'PENDING'])[1 + i % 5],
       now() - make_interval(secs => i), now() - make_interval(secs => i), i % 200 <> 0, i * 7919 % 1000003,
       encode(sha256(i::text::bytea), 'hex'), case when i % 20 = 0 then :connector::uuid end,
       case when i % 5 = 3 then 'CODE_' || i % 9 end, case when i % 5 = 3 then 'plugin-' || i % 5 end,
       json_build_object('team', 'team-' || i % 20, 'year', 2000 + i % 25, 'case', 'case-' || i,
         'tags', json_build_array('tag-' || i % 11, 'tag-' || i % 13))::jsonb
         || case when i <= 10000 and i % 200 = 0 then '{"pinned": true}' else '{}' end::jsonb
     from generate_series((select count(*) from resources) + 1, :count::bigint) as i`,
    { words, many: words.length, count, connector },
  );
  await db.raw('alter table resources enable trigger user');
  await db.raw(
    `insert into metadata_values (resource_id, entry) select id, metadata_entries(metadata) from resources
     on conflict do nothing`,
  );
  await db.raw('vacuum analyze resources, metadata_values');
}
