import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import { brokenConstraint, type Db } from '../database/connection.js';
import { newestFirst, type TimePage } from '../database/newest-first.js';

export interface PipelineStep {
  readonly plugin_id: string;
  readonly max_attempts: number;
  readonly backoff_seconds: number;
  readonly timeout_seconds: number;
}

export interface Pipeline {
  readonly id: string;
  readonly name: string;
  readonly trigger_type: string;
  readonly steps: readonly PipelineStep[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

type PipelineRow = Omit<Pipeline, 'steps'>;

const columns = ['id', 'name', 'trigger_type', 'created_at', 'updated_at'] as const;

/** A query of pipelines with their steps, all of one moment. */
const selectPipelines = (db: Db): ReturnType<Db['queryBuilder']> =>
  db('pipelines as p').select(
    ...columns.map((column) => `p.${column}`),
    db.raw(
      `(select json_agg(json_build_object('plugin_id', s.plugin_id, 'max_attempts', s.max_attempts,
          'backoff_seconds', s.backoff_seconds, 'timeout_seconds', s.timeout_seconds) order by s.index)
        from pipeline_steps s where s.pipeline_id = p.id) as steps`,
    ),
  );

/** Pipelines older than the cursor's, newest first. */
export async function listPipelines(db: Db, page: TimePage): Promise<Pipeline[]> {
  return (await selectPipelines(db).modify(newestFirst(page, 'p.created_at', 'p.id'))) as Pipeline[];
}

/** One pipeline, or null. */
export async function findPipeline(db: Db, id: string): Promise<Pipeline | null> {
  return ((await selectPipelines(db).where('p.id', id).first()) as Pipeline | undefined) ?? null;
}

/** One pipeline, locked until the transaction ends, or null. */
export async function lockPipeline(trx: Db, id: string): Promise<Pipeline | null> {
  // The statement that waits for the lock would still see the steps from before the wait.
  await trx('pipelines').select('id').where({ id }).forNoKeyUpdate();
  return await findPipeline(trx, id);
}

/** Creates a pipeline. Throws TRIGGER_TYPE_TAKEN and UNKNOWN_PLUGIN. */
export async function createPipeline(
  db: Db,
  input: { readonly name: string; readonly trigger_type: string; readonly steps: readonly PipelineStep[] },
): Promise<Pipeline> {
  return await explained(db, input.steps, input.trigger_type, async (trx) => {
    const rows: PipelineRow[] = await trx('pipelines')
      .insert({ id: uuidv7(), name: input.name, trigger_type: input.trigger_type })
      .returning([...columns]);
    const [row] = rows as [PipelineRow];
    await insertSteps(trx, row.id, input.steps);
    return { ...row, steps: input.steps };
  });
}

/**
 * Replaces the steps, and the name if one is given. Writes nothing if the pipeline already has these values, so that
 * its entity tag stays. Returns null if there is no such pipeline. Throws UNKNOWN_PLUGIN.
 */
export async function replacePipeline(
  db: Db,
  id: string,
  input: { readonly name?: string; readonly steps: readonly PipelineStep[] },
): Promise<Pipeline | null> {
  return await explained(db, input.steps, '', async (trx) => {
    const before = await lockPipeline(trx, id);
    if (before !== null && isDeepStrictEqual(before, { ...before, ...input })) return before;
    const rows: PipelineRow[] = await trx('pipelines')
      .where({ id })
      .update({ ...(input.name === undefined ? {} : { name: input.name }), updated_at: trx.fn.now() })
      .returning([...columns]);
    const [row] = rows;
    if (row === undefined) return null;
    await trx('pipeline_steps').where({ pipeline_id: id }).delete();
    await insertSteps(trx, id, input.steps);
    return { ...row, steps: input.steps };
  });
}

/** Deletes a pipeline. Returns whether there was one. Runs keep the snapshot they started with. */
export async function deletePipeline(db: Db, id: string): Promise<boolean> {
  return (await db('pipelines').where({ id }).delete()) > 0;
}

async function insertSteps(trx: Db, pipelineId: string, steps: readonly PipelineStep[]): Promise<void> {
  await trx('pipeline_steps').insert(
    steps.map((step, index) => ({
      pipeline_id: pipelineId,
      index,
      plugin_id: step.plugin_id,
      max_attempts: step.max_attempts,
      backoff_seconds: step.backoff_seconds,
      timeout_seconds: step.timeout_seconds,
    })),
  );
}

async function explained<T>(
  db: Db,
  steps: readonly PipelineStep[],
  triggerType: string,
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === 'pipelines_trigger_type_key') {
      const message = `The trigger type ${triggerType} already has a pipeline.`;
      throw new ServiceError('TRIGGER_TYPE_TAKEN', message, { trigger_type: triggerType });
    }
    if (constraint !== 'pipeline_steps_plugin_id_fkey') throw error;
    const known = new Set<string>(await db('plugins').pluck('id'));
    const errors = steps.flatMap(({ plugin_id: id }, index) =>
      known.has(id)
        ? []
        : [{ path: `/steps/${index}/plugin_id`, message: `is not a registered plugin: ${id}` }],
    );
    const unknown = steps.find(({ plugin_id }) => !known.has(plugin_id))?.plugin_id;
    const message = `${unknown === undefined ? 'A plugin' : `The plugin ${unknown}`} is not registered.`;
    throw new ServiceError('UNKNOWN_PLUGIN', message, { errors });
  }
}
