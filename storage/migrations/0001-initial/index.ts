import type { Knex } from 'knex';
import { access } from './access.js';
import { audit } from './audit.js';
import { deferredWork } from './deferred-work.js';
import { events } from './events.js';
import { metadataValues } from './metadata-values.js';
import { operations } from './operations.js';
import { pipelines } from './pipelines.js';
import { resourceIndexes } from './resource-indexes.js';
import { resources } from './resources.js';
import { search } from './search.js';
import { secrets } from './secrets.js';
import { waits } from './waits.js';

/** The id that an object store records to show which database owns it. One row. */
const warehouse = `
  create table warehouse (
    id uuid not null,
    only_one boolean primary key default true check (only_one)
  );
  insert into warehouse (id) values (gen_random_uuid());
`;

/**
 * The whole schema of the first release. Free-form JSON is stored as text, so that every object JSON.parse can read
 * (with NUL, lone surrogates or `__proto__`) is kept unchanged. The metadata of resources is jsonb because it is
 * searched.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('create extension if not exists pg_trgm');
  const topics = [
    warehouse,
    access,
    audit,
    pipelines,
    resources,
    resourceIndexes,
    metadataValues,
    waits,
    deferredWork,
    operations,
    events,
    search,
    secrets,
  ];
  for (const sql of topics) await db.raw(sql);
}
