import type { Knex } from 'knex';

/**
 * Contents that workers send ahead of their report; attempts of HTTP workers that must be heard of; what plugins are
 * still to remove elsewhere.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table uploads (
      id uuid primary key,
      resource_id uuid not null,
      run integer not null,
      step_index integer not null,
      attempt integer not null,
      type text not null,
      content_type text not null check (content_type in ('text', 'json', 'vector')),
      object_key text not null,
      size_bytes bigint,
      created_at timestamptz(3) not null default now(),
      foreign key (resource_id, run, step_index, attempt) references attempts on delete cascade
    );
    create index uploads_attempt on uploads (resource_id, run, step_index, attempt);

    alter table attempts add column silent_at timestamptz(3);
    alter table attempts drop constraint attempts_settled_by_check;
    alter table attempts add constraint attempts_settled_by_check
      check (settled_by in ('REPORT', 'CORE', 'SWEEP'));
    create index attempts_silent on attempts (silent_at) where silent_at is not null;

    create table clean_ups (
      id uuid primary key,
      resource_id uuid not null,
      run integer not null,
      plugin_id text not null,
      reason text not null check (reason in ('RESOURCE_DELETED', 'ARTIFACTS_REMOVED')),
      up_to_run integer not null,
      artifacts text not null,
      created_at timestamptz(3) not null default now(),
      tries integer not null default 0,
      last_error text
    );
    create index clean_ups_resource on clean_ups (resource_id, run);
    create index clean_ups_plugin on clean_ups (plugin_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table clean_ups, uploads;
    alter table attempts drop column silent_at;
  `);
}
