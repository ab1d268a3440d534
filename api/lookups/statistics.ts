import type { FromSchema } from 'json-schema-to-ts';
import { readClock, type Db } from '../../storage/database/connection.js';
import { countResources } from '../../storage/resources/resources.js';
import { countByBucket, readPluginStatistics, type BucketCount } from '../../storage/statistics.js';
import type { statisticsSchema } from '../schemas/statistics.js';
import { shareAnswer } from './share-answer.js';

export type Statistics = FromSchema<typeof statisticsSchema>;

/** Reads the statistics of the last `hours`. */
export type ReadStatistics = (hours: number) => Promise<Statistics>;

/** How long an answer is kept. */
const sharing = { freshMs: 2_000, restFactor: 10 };
const mostBuckets = 60;
const bucketLengths = [300, 900, 3_600, 21_600, 86_400] as const;

/** Returns the length of a bucket in seconds: the shortest one that needs only a few buckets. */
export function bucketSecondsFor(hours: number): Statistics['bucket_seconds'] {
  return bucketLengths.find((length) => (hours * 3_600) / length <= mostBuckets) ?? 86_400;
}

/** Reads statistics once for all concurrent or closely following requests. */
export function createStatistics(db: Db): ReadStatistics {
  const byHours = new Map<number, () => Promise<Statistics>>();
  return async (hours) => {
    const read = byHours.get(hours) ?? shareAnswer(() => readStatistics(db, hours), sharing);
    byHours.set(hours, read);
    return await read();
  };
}

async function readStatistics(db: Db, hours: number): Promise<Statistics> {
  const size = bucketSecondsFor(hours);
  const now = await readClock(db);
  const last = Math.floor(now.getTime() / 1000 / size);
  const first = last + 1 - Math.ceil((hours * 3_600) / size);
  const since = new Date(first * size * 1000);
  const [resources, counts, plugins] = [
    await countResources(db),
    await countByBucket(db, since, size),
    await readPluginStatistics(db, since),
  ];
  const byBucket = new Map(counts.map(({ bucket, kind, count }) => [`${bucket} ${kind}`, count]));
  const countIn = (bucket: number, kind: BucketCount['kind']): number =>
    byBucket.get(`${bucket} ${kind}`) ?? 0;
  return {
    at: now.toISOString(),
    resources,
    bucket_seconds: size,
    buckets: Array.from({ length: last + 1 - first }, (_, index) => ({
      at: new Date((first + index) * size * 1000).toISOString(),
      registered: countIn(first + index, 'REGISTERED'),
      completed: countIn(first + index, 'COMPLETED'),
      failed: countIn(first + index, 'FAILED'),
      cancelled: countIn(first + index, 'CANCELLED'),
    })),
    plugins: [...plugins],
  };
}
