import { ServiceError } from '../../core/errors.js';
import type { ResourceError, ResourceStatus, SourceType } from '../../core/states.js';
import { runWorkflowId } from '../../core/ids.js';
import { mapInTurns } from '../../core/in-turns.js';
import type { ResourceMetadata } from '../../core/resources/metadata.js';
import { artifactFromJson, type Artifact, type ArtifactRow } from '../artifacts.js';
import type { Db } from '../database/connection.js';
import { fromJsonText, type JsonRow } from '../database/json-text.js';
import { prepared } from '../database/prepared.js';
import { stepFromJson, type Step, type StepRow } from '../runs/runs.js';

export interface Resource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly source_type: SourceType;
  readonly source_uri: string | null;
  /** The object with the source's bytes; never shown to clients. */
  readonly object_key: string | null;
  readonly size_bytes: number | null;
  readonly sha256: string | null;
  readonly media_type: string | null;
  readonly status: ResourceStatus;
  readonly no_matching_pipeline: boolean;
  readonly is_enabled: boolean;
  readonly metadata: ResourceMetadata;
  readonly run: number;
  readonly error: ResourceError | null;
  readonly workflow_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

/** A resource with the steps of its newest run, in order, and its artifacts, ordered by step, then by type. */
export interface WholeResource {
  readonly resource: Resource;
  readonly steps: readonly Step[];
  readonly artifacts: readonly Artifact[];
}

/** A resource of a list, with the parts that were requested. */
export interface ListedResource extends Resource, Partial<Pick<WholeResource, ResourcePart>> {}

/** A part of a resource that lists can include. */
export type ResourcePart = 'steps' | 'artifacts';

type ResourceRow = Omit<Resource, 'error' | 'workflow_id'> & { readonly error: string | null };

const givenColumns = [
  'id',
  'name',
  'type',
  'source_type',
  'source_uri',
  'object_key',
  'size_bytes',
  'sha256',
  'media_type',
  'metadata',
] as const satisfies readonly (keyof Resource)[];

/** The fields of a resource at its registration. */
export type NewResource = Pick<Resource, (typeof givenColumns)[number]>;

const columns = [
  ...givenColumns,
  'status',
  'is_enabled',
  'run',
  'error',
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
] as const;

const fromRow = (row: ResourceRow): Resource => ({
  ...row,
  error: fromJsonText<ResourceError>(row.error),
  workflow_id: row.run === 0 ? null : runWorkflowId(row.id, row.run),
});

const hasNoPipeline =
  'not exists (select 1 from pipelines p where p.trigger_type = r.type) as no_matching_pipeline';

const partColumns: Readonly<Record<ResourcePart, string>> = {
  steps:
    '(select json_agg(s order by s.index) from steps s where s.resource_id = r.id and s.run = r.run) as steps',
  artifacts:
    '(select json_agg(a order by a.step_index, a.type) from artifacts a where a.resource_id = r.id) as artifacts',
};

interface PartsRow {
  readonly steps: readonly JsonRow<StepRow>[] | null;
  readonly artifacts: readonly JsonRow<ArtifactRow>[] | null;
}

const toSteps = (rows: PartsRow['steps']): Step[] => (rows ?? []).map(stepFromJson);
const toArtifacts = (rows: PartsRow['artifacts']): Artifact[] => (rows ?? []).map(artifactFromJson);

/** A query of resources, with the table alias `r`; it also reads these parts, all in one snapshot. */
export const selectResources = (
  db: Db,
  parts: readonly ResourcePart[] = [],
): ReturnType<Db['queryBuilder']> =>
  db('resources as r').select(
    ...columns.map((column) => `r.${column}`),
    ...[hasNoPipeline, ...parts.map((part) => partColumns[part])].map((column) => db.raw(column)),
  );

/** Runs a query that was built with `selectResources`. */
export async function readResources(query: ReturnType<Db['queryBuilder']>): Promise<ListedResource[]> {
  const rows = (await query) as (ResourceRow & Partial<PartsRow>)[];
  return await mapInTurns(rows, ({ steps, artifacts, ...row }) => ({
    ...fromRow(row),
    ...(steps !== undefined && { steps: toSteps(steps) }),
    ...(artifacts !== undefined && { artifacts: toArtifacts(artifacts) }),
  }));
}

/** One resource, or null. */
export async function findResource(db: Db, id: string): Promise<Resource | null> {
  const row = (await selectResources(db).where('r.id', id).first()) as ResourceRow | undefined;
  return row ? fromRow(row) : null;
}

const findWhole = prepared<ResourceRow & PartsRow>(
  'find_whole_resource',
  `select ${columns.map((column) => `r.${column}`).join(', ')}, ${hasNoPipeline},
     ${partColumns.steps}, ${partColumns.artifacts}
   from resources r where r.id = any (?::uuid[])`,
);

/** Resources, by their ids in lower case, with their steps and artifacts, all read in one snapshot. */
export async function findWholeResources(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WholeResource>> {
  const rows = await findWhole(db, [[...ids]]);
  return new Map(
    rows.map(({ steps, artifacts, ...row }) => [
      row.id,
      { resource: fromRow(row), steps: toSteps(steps), artifacts: toArtifacts(artifacts) },
    ]),
  );
}

const lock = prepared<ResourceRow>(
  'lock_resource',
  `select ${columns.map((column) => `r.${column}`).join(', ')}, ${hasNoPipeline}
   from resources r where r.id = ? for no key update of r`,
);

/** One resource, locked until the transaction ends, or null. Every state change starts with this. */
export async function lockResource(trx: Db, id: string): Promise<Resource | null> {
  const [row] = await lock(trx, [id]);
  return row ? fromRow(row) : null;
}

/** The same, of a resource that must exist. Throws NOT_FOUND. */
export async function lockExisting(trx: Db, id: string): Promise<Resource> {
  const resource = await lockResource(trx, id);
  if (resource === null) throw new ServiceError('NOT_FOUND', `There is no resource ${id}.`);
  return resource;
}

const insert = prepared<{ readonly run: number }>(
  'insert_resource',
  `with pipeline as (select from pipelines where trigger_type = ? for share),
     matched as (select exists (select from pipeline) as is_matched)
   insert into resources (${givenColumns.join(', ')}, status, run, started_at)
   select ${givenColumns.map(() => '?').join(', ')},
     case when is_matched then 'PROCESSING' else 'PENDING' end,
     case when is_matched then 1 else 0 end,
     case when is_matched then now() end
   from matched returning run`,
);

/**
 * Inserts a new resource and returns its run. With a pipeline of its type, this is its first run, which starts now, and
 * the pipeline is locked until the transaction ends. Otherwise the run is 0.
 */
export async function insertResource(trx: Db, resource: NewResource): Promise<number> {
  const given = givenColumns.map((column) =>
    column === 'metadata' ? JSON.stringify(resource.metadata) : resource[column],
  );
  const [row] = await insert(trx, [resource.type, ...given]);
  return (row as { readonly run: number }).run;
}

/** Updates the fields that users can edit. */
export async function updateResource(
  db: Db,
  id: string,
  changes: Partial<Pick<Resource, 'name' | 'type' | 'is_enabled' | 'metadata'>>,
): Promise<void> {
  await db('resources')
    .where({ id })
    .update({
      ...changes,
      ...(changes.metadata && { metadata: JSON.stringify(changes.metadata) }),
      updated_at: db.fn.now(),
    });
}

/** Flips `is_enabled`. */
export async function toggleResource(db: Db, id: string): Promise<void> {
  await db('resources')
    .where({ id })
    .update({ is_enabled: db.raw('not is_enabled'), updated_at: db.fn.now() });
}

/** How many resources are in each status, including statuses with none. */
export async function countResources(db: Db): Promise<Readonly<Record<ResourceStatus, number>>> {
  const { rows } = await db.raw<{ rows: { status: ResourceStatus; count: number }[] }>(
    'select status, count(*) from resources group by status',
  );
  const none = { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}
