import {
  longWaitSeconds,
  type MetadataCondition,
  type MetadataScalar,
  type ResourceFilter,
} from '../../core/resources/resource-filter.js';
import type { Db } from '../database/connection.js';
import { metadataRange } from './metadata-range.js';

type Query = ReturnType<Db['queryBuilder']>;

/** Columns that a filter compares by equality. */
const columns = [
  'type',
  'status',
  'source_type',
  'is_enabled',
  'connector_id',
  'sha256',
  'error_code',
  'failed_plugin',
] as const;

/** Restricts a query of resources, with the table alias `r`, to those that match. */
export function applyResourceFilter(query: Query, filter: ResourceFilter): void {
  for (const column of columns) {
    const values = filter[column];
    // The error code is null unless the current run is FAILED.
    if (values === null) void query.whereNull(`r.${column}`).whereNotNull('r.error_code');
    else if (values?.length === 1) void query.where(`r.${column}`, values[0] as string);
    else if (values !== undefined) void query.whereIn(`r.${column}`, values as readonly string[]);
  }
  if (filter.q !== undefined && filter.q !== '') applyPartOfName(query, filter.q);
  applyInstants(query, filter);
  for (const condition of filter.metadata ?? []) applyMetadata(query, condition);
  if (filter.waiting !== undefined) void query.whereRaw(filter.waiting ? isWaiting : `not ${isWaiting}`);
}

/**
 * Names are stored as clients send them: macOS decomposes letters such as ü, and others compose them. Σ is σ or, at the
 * end of a word, ς in small letters; PostgreSQL only knows the first.
 */
function applyPartOfName(query: Query, part: string): void {
  const medial = part.replace(/[ςΣ]/g, 'σ');
  const final = medial.replace(/σ(?!\p{L})/gu, 'ς');
  const spellings = [part, medial, final];
  const forms = [
    ...new Set(spellings.flatMap((each) => [each, each.normalize('NFC'), each.normalize('NFD')])),
  ];
  const contains = forms.map(() => "r.name ilike ? escape '\\'");
  void query.whereRaw(
    `(${contains.join(' or ')})`,
    forms.map((form) => `%${form.replace(/[\\%_]/g, '\\$&')}%`),
  );
}

function applyInstants(query: Query, filter: ResourceFilter): void {
  const { created_after, created_before, updated_after, updated_before } = filter;
  if (created_after !== undefined) void query.where('r.created_at', '>=', created_after);
  if (created_before !== undefined) void query.where('r.created_at', '<', created_before);
  if (updated_after !== undefined) void query.where('r.updated_at', '>=', updated_after);
  if (updated_before !== undefined) void query.where('r.updated_at', '<', updated_before);
}

/** `waiting_since` is set while a step waits for a worker, a callback or a retry. */
const isWaiting = `(r.status = 'PROCESSING' and exists (
  select 1 from steps w where w.resource_id = r.id and w.run = r.run
    and w.waiting_since <= now() - interval '${longWaitSeconds} seconds'))`;

function applyMetadata(query: Query, condition: MetadataCondition): void {
  const { key, anyOf, gte, lte } = condition;
  if (anyOf !== undefined) {
    const documents = anyOf.flatMap((value) => documentsThatContain(key, value));
    const contains = documents.map(() => 'r.metadata @> ?::jsonb');
    void query.whereRaw(documents.length === 0 ? 'false' : `(${contains.join(' or ')})`, documents);
  }
  if (gte !== undefined || lte !== undefined) {
    const { sql, bindings } = metadataRange(condition);
    void query.whereRaw(sql, bindings);
  }
}

/** The documents for the operator `@>`: the value itself, and an array that contains it. */
function documentsThatContain(key: string, value: MetadataScalar): string[] {
  const documents = [{ [key]: value }, ...(typeof value === 'string' ? [{ [key]: [value] }] : [])];
  return documents.map((document) => JSON.stringify(document));
}
