import { migrationNames } from '../migrate.js';
import type { Db } from './connection.js';

/** The properties of a database that the service depends on. */
export interface DatabaseDiagnosis {
  /** In PostgreSQL's format: 170004 is 17.4. */
  readonly version: number;
  readonly encoding: string;
  readonly locale: string;
  /** Whether case-insensitive search works for letters outside ASCII. */
  readonly foldsCase: boolean;
  readonly hasTrigrams: boolean;
  readonly mayCreate: boolean;
  readonly isReadOnly: boolean;
  readonly maxConnections: number;
  readonly usedConnections: number;
  readonly now: Date;
  /** Migrations of this version that have not been applied. */
  readonly pendingMigrations: readonly string[];
}

/** Collects the diagnosis. */
export async function diagnoseDatabase(db: Db): Promise<DatabaseDiagnosis> {
  const { rows } = await db.raw<{ rows: [Omit<DatabaseDiagnosis, 'pendingMigrations'>] }>(`
    select current_setting('server_version_num')::int as version,
      pg_encoding_to_char(encoding) as encoding,
      coalesce(
        -- Of the providers builtin and icu. PostgreSQL 17 renamed the column.
        to_jsonb(d) ->> 'datlocale',
        to_jsonb(d) ->> 'daticulocale',
        datcollate || case when datctype <> datcollate then ' / ' || datctype else '' end
      ) as locale,
      'Ä' ilike 'ä' as "foldsCase",
      exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
      has_schema_privilege(current_schema(), 'CREATE') as "mayCreate",
      pg_is_in_recovery() as "isReadOnly",
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
      clock_timestamp() as now
    from pg_database d where datname = current_database()`);
  return { ...rows[0], pendingMigrations: await pendingMigrations(db) };
}

async function pendingMigrations(db: Db): Promise<string[]> {
  if (!(await db.schema.hasTable('schema_migrations'))) return [...migrationNames];
  const applied = new Set(await db('schema_migrations').pluck<string[]>('name'));
  return migrationNames.filter((name) => !applied.has(name));
}
