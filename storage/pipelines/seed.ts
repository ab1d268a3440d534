import type { Db } from '../database/connection.js';
import { createPipeline, type PipelineStep } from './pipelines.js';

const step = (plugin_id: string, timeout_seconds: number): PipelineStep => ({
  plugin_id,
  max_attempts: 3,
  backoff_seconds: 5,
  timeout_seconds,
});

const seeds = [
  { name: 'Documents', trigger_type: 'document' },
  { name: 'Web pages', trigger_type: 'webpage' },
] as const;

/** Creates the initial pipelines if the database has none. Returns their number. */
export async function seedPipelines(db: Db): Promise<number> {
  return await db.transaction(async (trx) => {
    await trx.raw("select pg_advisory_xact_lock(hashtext('knowledge-warehouse seed'))");
    const existing: unknown = await trx('pipelines').select('id').first();
    if (existing !== undefined) return 0;
    for (const seed of seeds) {
      await createPipeline(trx, { ...seed, steps: [step('extract-text', 600), step('chunk-text', 300)] });
    }
    return seeds.length;
  });
}
