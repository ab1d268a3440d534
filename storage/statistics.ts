import type { FinalStatus } from '../core/states.js';
import type { Db } from './database/connection.js';

/** A number of events in one time bucket. */
export interface BucketCount {
  /** The bucket's index: seconds since 1970 divided by the bucket's length. */
  readonly bucket: number;
  readonly kind: 'REGISTERED' | FinalStatus;
  readonly count: number;
}

export interface PluginStatistics {
  readonly plugin_id: string;
  readonly completed: number;
  readonly failed: number;
  /** Number of attempts of the steps that completed or failed. */
  readonly attempts: number;
  /** Median duration of completed steps in seconds; null if there are none. */
  readonly median_seconds: number | null;
  readonly p95_seconds: number | null;
  /** The same for the time that such steps waited for a worker, and for the time that workers spent on them. */
  readonly median_queue_seconds: number | null;
  readonly p95_queue_seconds: number | null;
  readonly median_run_seconds: number | null;
  readonly p95_run_seconds: number | null;
}

/** Resources registered and runs ended since a time, in buckets of `bucketSeconds`. */
export async function countByBucket(db: Db, since: Date, bucketSeconds: number): Promise<BucketCount[]> {
  const { rows } = await db.raw<{ rows: BucketCount[] }>(
    `select cast(floor(extract(epoch from created_at) / :bucketSeconds) as bigint) as bucket, 'REGISTERED' as kind, count(*)
     from resources where created_at >= :since group by bucket
     union all
     select cast(floor(extract(epoch from finished_at) / :bucketSeconds) as bigint) as bucket, status, count(*)
     from runs where finished_at >= :since group by bucket, status`,
    { since, bucketSeconds },
  );
  return rows;
}

/**
 * Outcomes of each plugin's steps since a time, the busiest plugin first. A step that a resumed run kept counts once.
 */
export async function readPluginStatistics(db: Db, since: Date): Promise<PluginStatistics[]> {
  const { rows } = await db.raw<{ rows: PluginStatistics[] }>(
    `select plugin_id, count(*) filter (where status = 'COMPLETED') as completed,
       count(*) filter (where status = 'FAILED') as failed, sum(attempt) as attempts,
       percentile_cont(0.5) within group (order by seconds) as median_seconds,
       percentile_cont(0.95) within group (order by seconds) as p95_seconds,
       percentile_cont(0.5) within group (order by queue_seconds) as median_queue_seconds,
       percentile_cont(0.95) within group (order by queue_seconds) as p95_queue_seconds,
       percentile_cont(0.5) within group (order by run_seconds) as median_run_seconds,
       percentile_cont(0.95) within group (order by run_seconds) as p95_run_seconds
     from (
       select plugin_id, status, attempt, case when status = 'COMPLETED' then queue_seconds end as queue_seconds,
         case when status = 'COMPLETED' then run_seconds end as run_seconds,
         case when status = 'COMPLETED' then cast(extract(epoch from finished_at - started_at) as float8) end as seconds
       from steps where finished_at >= :since and status in ('COMPLETED', 'FAILED') and not is_kept
     ) as ended
     group by plugin_id order by count(*) desc, plugin_id`,
    { since },
  );
  return rows;
}
