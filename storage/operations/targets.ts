import type { OperationAction } from '../../core/operations.js';
import { maxMetadataBytes, maxMetadataKeys } from '../../core/resources/metadata.js';
import type { ResourceFilter } from '../../core/resources/resource-filter.js';
import type { Db } from '../database/connection.js';
import { applyResourceFilter } from '../resources/resource-filter.js';

type Query = ReturnType<Db['queryBuilder']>;

/** The requested action and its resources: those that match a filter, or those listed by id in lower case. */
export interface OperationRequest {
  readonly action: OperationAction;
  readonly resources: { readonly filter: ResourceFilter } | { readonly ids: readonly string[] };
  /** For `reprocess`; null means from the beginning. */
  readonly fromStep: number | 'failed' | null;
  /** For `set_metadata`: a merge patch, or null to remove all metadata. */
  readonly metadata?: { readonly patch: object | null } | null;
}

/** What an operation would do. */
export interface OperationPreview {
  readonly matched: number;
  readonly eligible: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Ids of up to ten eligible resources, the newest first. */
  readonly sample: readonly string[];
}

const sampleSize = 10;

/** Selects each resource of a request once, as `id`; `r.id` is null for an id without a resource. */
export function selectTargets(db: Db, { resources }: OperationRequest): Query {
  if ('filter' in resources) {
    const query = db('resources as r');
    applyResourceFilter(query, resources.filter);
    return query;
  }
  return db
    .from(db.raw('unnest(?::uuid[]) as given(id)', [[...new Set(resources.ids)]]))
    .leftJoin('resources as r', 'r.id', 'given.id');
}

/** The column with the id of a target. */
export const targetId = ({ resources }: OperationRequest): string =>
  'ids' in resources ? 'given.id' : 'r.id';

/** SQL for the error code that prevents the action on a resource now, or null. */
function obstacleOf({ action, fromStep, metadata }: OperationRequest): {
  readonly sql: string;
  readonly bindings: readonly (number | string | string[])[];
} {
  const missing = "when r.id is null then 'NOT_FOUND'";
  const busy = "when r.status = 'PROCESSING' then 'RESOURCE_PROCESSING'";
  const cases = (...conditions: string[]): string => `case ${[missing, ...conditions].join(' ')} end`;
  const steps = 'from steps s where s.resource_id = r.id and s.run = r.run';
  switch (action) {
    case 'cancel':
      return { sql: cases("when r.status <> 'PROCESSING' then 'RESOURCE_NOT_PROCESSING'"), bindings: [] };
    case 'delete':
      return { sql: cases(busy), bindings: [] };
    case 'reprocess': {
      if (fromStep === null) {
        const noPipeline =
          "when r.type not in (select p.trigger_type from pipelines p) then 'NO_MATCHING_PIPELINE'";
        return { sql: cases(busy, noPipeline), bindings: [] };
      }
      if (fromStep === 'failed') {
        // A limit keeps the planner from reading the steps of all resources at once.
        const nothing = `when (select true ${steps} and s.status <> 'COMPLETED' limit 1) is null then 'STEP_NOT_RESUMABLE'`;
        return { sql: cases(busy, nothing), bindings: [] };
      }
      const unreachable = `when not exists (select ${steps} and s.index = ?)
        or exists (select ${steps} and s.index < ? and s.status <> 'COMPLETED') then 'STEP_NOT_RESUMABLE'`;
      return { sql: cases(busy, unreachable), bindings: [fromStep, fromStep] };
    }
    case 'set_metadata': {
      const patch = metadata?.patch ?? null;
      if (patch === null) return { sql: cases(), bindings: [] };
      const entries = Object.entries(patch);
      const added = JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null)));
      const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
      return {
        sql: cases(`when (${isTooLarge}) then 'VALIDATION_FAILED'`),
        bindings: [maxMetadataKeys, maxMetadataBytes, added, removed],
      };
    }
    default:
      return { sql: cases(), bindings: [] };
  }
}

/**
 * SQL: whether metadata would have too many keys or bytes after a merge patch, given as what it adds and the keys that it
 * removes. PostgreSQL writes a space after each colon and comma, and all digits of a number that JavaScript writes with an
 * exponent; these do not count. `float8` has the same digits as JavaScript, but at least two in the exponent, and up to 16
 * digits more for a few numbers such as 1e23, which then count as longer than they are.
 */
const isTooLarge = `
  select keys > ? or octet_length(merged::text) - 2 * keys + 1 - not_counted > ?
  from (select (r.metadata || ?::jsonb) - ?::text[] as merged) m,
    lateral (
      select count(*) as keys, coalesce(sum(
        case jsonb_typeof(value)
          when 'array' then greatest(0, jsonb_array_length(value) - 1)
          when 'number' then
            case when abs(value::numeric) >= 1e21 or abs(value::numeric) < 1e-6
              then length(value::text) - length(replace(value::float8::text, 'e-0', 'e-')) end
        end), 0) as not_counted
      from jsonb_each(merged)
    ) counted`;

/** What an operation would do to its resources in their current state. */
export async function previewOperation(db: Db, request: OperationRequest): Promise<OperationPreview> {
  const { sql, bindings } = obstacleOf(request);
  const rows = (await selectTargets(db, request)
    .select(db.raw(`${sql} as code`, bindings))
    .count('* as count')
    .groupBy('code')) as { code: string | null; count: number }[];
  const counted = (of: (code: string | null) => boolean): number =>
    rows.filter(({ code }) => of(code)).reduce((sum, { count }) => sum + count, 0);
  const sample = (await selectTargets(db, request)
    .select('r.id')
    .whereRaw(`(${sql}) is null`, bindings)
    .orderBy('r.id', 'desc')
    .limit(sampleSize)) as { id: string }[];
  return {
    matched: counted(() => true),
    eligible: counted((code) => code === null),
    skipped: Object.fromEntries(rows.flatMap(({ code, count }) => (code === null ? [] : [[code, count]]))),
    sample: sample.map(({ id }) => id),
  };
}

/** How many resources the action is currently possible for. */
export async function countEligible(db: Db, request: OperationRequest): Promise<number> {
  const { sql, bindings } = obstacleOf(request);
  const [row] = (await selectTargets(db, request)
    .whereRaw(`(${sql}) is null`, bindings)
    .count('* as count')) as { count: number }[];
  return row?.count ?? 0;
}
