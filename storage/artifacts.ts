import type { ContentType } from '../core/states.js';
import { uuidv7 } from '../core/ids.js';
import { RawJson } from '../core/json/raw-json.js';
import type { Db } from './database/connection.js';
import { discardObjects } from './sweeps/discarded-objects.js';
import { toJsonText, type JsonRow } from './database/json-text.js';
import { prepared } from './database/prepared.js';
import type { Step } from './runs/runs.js';

export interface Artifact {
  readonly id: string;
  readonly resource_id: string;
  readonly type: string;
  readonly content_type: ContentType;
  readonly step_index: number;
  readonly plugin_id: string;
  /** The run that made the content. */
  readonly run: number;
  /** The last run that produced or kept it. Only a current artifact is an input for that run. */
  readonly current_run: number;
  readonly size_bytes: number;
  /** SHA-256 of the content, in lower-case hex; null if an older version stored it without one. */
  readonly sha256: string | null;
  readonly metadata: RawJson;
  /** Where the content is stored; never shown to clients. */
  readonly object_key: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** An artifact whose content is in the object store but whose row is not written yet. */
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
  /** The object that `sha256` belongs to. A process of an older version updates only `object_key`. */
  readonly sha256_of: string | null;
};

const fromRow = ({ sha256_of, ...row }: ArtifactRow): Artifact => ({
  ...row,
  sha256: sha256_of === row.object_key ? row.sha256 : null,
  metadata: new RawJson(row.metadata),
});

/** Converts an artifact row that PostgreSQL returned as JSON. */
export function artifactFromJson(row: JsonRow<ArtifactRow>): Artifact {
  return fromRow({
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  });
}

/** The artifacts of a resource, ordered by step, then by type. */
export async function listArtifacts(db: Db, resourceId: string): Promise<Artifact[]> {
  const rows: ArtifactRow[] = await db('artifacts')
    .where({ resource_id: resourceId })
    .orderBy(['step_index', 'type']);
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

/**
 * The inputs of a step: artifacts of earlier steps that are current in the run. For each type, the latest step wins.
 */
export async function listInputs(
  db: Db,
  resourceId: string,
  run: number,
  stepIndex: number,
): Promise<Artifact[]> {
  const rows = await listNewest(db, [resourceId, run, stepIndex]);
  return rows.map(fromRow);
}

/** Writes the rows of a step's artifacts. An artifact from an earlier run keeps its id; its old object is discarded. */
export async function upsertArtifacts(
  trx: Db,
  step: Pick<Step, 'resource_id' | 'run' | 'index' | 'plugin_id'>,
  artifacts: readonly StoredArtifact[],
): Promise<void> {
  if (artifacts.length === 0) return;
  const types = artifacts.map(({ type }) => type);
  const replaced: string[] = await trx('artifacts')
    .where({ resource_id: step.resource_id, step_index: step.index })
    .whereIn('type', types)
    .pluck('object_key');
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
  await discardObjects(trx, replaced);
}

/** Makes the artifacts of the steps before `stepIndex` current in the run that resumes the last one. */
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

/** Removes artifacts that only earlier runs produced, and returns them. */
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
  const keys = removed.map((row) => row.object_key);
  await discardObjects(trx, keys);
  return removed;
}
