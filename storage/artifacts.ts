import type { ContentType } from '../core/states.js';
import { uuidv7 } from '../core/ids.js';
import { RawJson } from '../core/raw-json.js';
import type { Db } from './database/connection.js';
import { discardObjects } from './sweeps/discarded-objects.js';
import { toJsonText, type JsonRow } from './database/json-text.js';
import { prepared } from './database/prepared.js';

export interface Artifact {
  readonly id: string;
  readonly resource_id: string;
  readonly type: string;
  readonly content_type: ContentType;
  readonly step_index: number;
  readonly plugin_id: string;
  /** The run that made the content. */
  readonly run: number;
  /** The last run that made or kept it: what a run may use is current in it. */
  readonly current_run: number;
  readonly size_bytes: number;
  /** Of the content, lower-case hex; null: it was stored by a version that kept none. */
  readonly sha256: string | null;
  readonly metadata: RawJson;
  /** Where the content is; never shown. */
  readonly object_key: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** An artifact whose content is in the object store and whose row is still to be written. */
export interface StoredArtifact {
  readonly type: string;
  readonly content_type: ContentType;
  readonly size_bytes: number;
  readonly sha256: string | null;
  readonly metadata: Record<string, unknown> | RawJson;
  readonly object_key: string;
}

export type ArtifactRow = Omit<Artifact, 'metadata'> & {
  readonly metadata: string;
  /** The object that `sha256` is of: a process of an older version replaces `object_key` alone. */
  readonly sha256_of: string | null;
};

const fromRow = ({ sha256_of, ...row }: ArtifactRow): Artifact => ({
  ...row,
  sha256: sha256_of === row.object_key ? row.sha256 : null,
  metadata: new RawJson(row.metadata),
});

/** An artifact whose row PostgreSQL wrote as JSON. */
export function artifactFromJson(row: JsonRow<ArtifactRow>): Artifact {
  return fromRow({
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  });
}

/** The artifacts of resources, in the order of steps, then by type. */
export async function listArtifacts(db: Db, resourceIds: readonly string[]): Promise<Artifact[]> {
  const rows: ArtifactRow[] = await db('artifacts')
    .whereIn('resource_id', resourceIds)
    .orderBy(['resource_id', 'step_index', 'type']);
  return rows.map(fromRow);
}

const columns = [
  'id',
  'resource_id',
  'type',
  'content_type',
  'step_index',
  'plugin_id',
  'run',
  'current_run',
  'size_bytes',
  'metadata',
  'object_key',
  'sha256',
  'sha256_of',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ArtifactRow)[];

const findByIds = prepared<ArtifactRow>(
  'find_artifacts',
  `select ${columns.join(', ')} from artifacts where id = any (?::uuid[])`,
);

/** Artifacts, by their ids in lower case. */
export async function findArtifacts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Artifact>> {
  const rows = await findByIds(db, [[...ids]]);
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

const listNewest = prepared<ArtifactRow>(
  'list_inputs',
  `select distinct on (type) ${columns.join(', ')} from artifacts
   where resource_id = ? and current_run = ? and step_index < ? order by type, step_index desc`,
);

/** What a step of a run may read: the artifacts of earlier steps current in the run; of one type, that of the latest step. */
export async function listInputs(
  db: Db,
  resourceId: string,
  run: number,
  stepIndex: number,
): Promise<Artifact[]> {
  const rows = await listNewest(db, [resourceId, run, stepIndex]);
  return rows.map(fromRow);
}

/** Writes the rows of a step's artifacts: one that an earlier run made keeps its id, and its old object is discarded. */
export async function upsertArtifacts(
  trx: Db,
  step: {
    readonly resource_id: string;
    readonly run: number;
    readonly index: number;
    readonly plugin_id: string;
  },
  artifacts: readonly StoredArtifact[],
): Promise<void> {
  if (artifacts.length === 0) return;
  const before: { object_key: string }[] = await trx('artifacts')
    .select('object_key')
    .where({ resource_id: step.resource_id, step_index: step.index })
    .whereIn(
      'type',
      artifacts.map((artifact) => artifact.type),
    );
  await trx('artifacts')
    .insert(
      artifacts.map((artifact) => ({
        id: uuidv7(),
        resource_id: step.resource_id,
        step_index: step.index,
        type: artifact.type,
        content_type: artifact.content_type,
        plugin_id: step.plugin_id,
        run: step.run,
        current_run: step.run,
        size_bytes: artifact.size_bytes,
        metadata: toJsonText(artifact.metadata),
        object_key: artifact.object_key,
        sha256: artifact.sha256,
        sha256_of: artifact.object_key,
      })),
    )
    .onConflict(['resource_id', 'step_index', 'type'])
    .merge({
      content_type: trx.raw('excluded.content_type'),
      plugin_id: trx.raw('excluded.plugin_id'),
      run: step.run,
      current_run: step.run,
      size_bytes: trx.raw('excluded.size_bytes'),
      metadata: trx.raw('excluded.metadata'),
      object_key: trx.raw('excluded.object_key'),
      sha256: trx.raw('excluded.sha256'),
      sha256_of: trx.raw('excluded.sha256_of'),
      updated_at: trx.fn.now(),
    });
  await discardObjects(
    trx,
    before.map((row) => row.object_key),
  );
}

/** Carries the artifacts of the steps before `stepIndex` over from the last run to the one that resumes it. */
export async function keepArtifacts(
  trx: Db,
  resourceId: string,
  runs: { readonly from: number; readonly to: number },
  stepIndex: number,
): Promise<void> {
  await trx('artifacts')
    .where({ resource_id: resourceId, current_run: runs.from })
    .where('step_index', '<', stepIndex)
    .update({ current_run: runs.to });
}

/** Removes what only runs before this one produced. Returns what was removed. */
export async function removeStaleArtifacts(
  trx: Db,
  resourceId: string,
  run: number,
): Promise<Pick<Artifact, 'id' | 'type' | 'plugin_id' | 'run'>[]> {
  const removed: Pick<Artifact, 'id' | 'type' | 'plugin_id' | 'run' | 'object_key'>[] = await trx('artifacts')
    .where({ resource_id: resourceId })
    .whereNot('current_run', run)
    .delete()
    .returning(['id', 'type', 'plugin_id', 'run', 'object_key']);
  await discardObjects(
    trx,
    removed.map((row) => row.object_key),
  );
  return removed;
}
