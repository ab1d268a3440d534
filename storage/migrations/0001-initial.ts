import type { Knex } from 'knex';

/** Free JSON is kept as text, so that every object JSON.parse can read (NUL, lone surrogates, `__proto__`) stays as it is. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create extension if not exists pg_trgm;

    create table api_keys (
      id uuid primary key,
      name text not null,
      hash bytea not null unique,
      prefix text not null,
      scopes text[] not null,
      rate_limit integer,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3)
    );

    create table plugins (
      id text primary key,
      name text not null,
      description text not null default '',
      version text not null default '',
      kind text not null check (kind in ('activity', 'http')),
      task_queue text,
      activity_type text,
      endpoint text,
      config_sealed text not null,
      config_schema text,
      produces text[] not null default '{}',
      heartbeat_seconds double precision,
      cleanup_activity_type text,
      is_active boolean not null default true,
      built_in boolean not null default false,
      secret_sealed text,
      previous_secret_sealed text,
      previous_secret_expires_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      last_seen_at timestamptz(3)
    );

    create table pipelines (
      id uuid primary key,
      name text not null,
      trigger_type text not null constraint pipelines_trigger_type_key unique,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    );
    create index pipelines_newest on pipelines (created_at desc, id desc);

    create table pipeline_steps (
      pipeline_id uuid not null references pipelines on delete cascade,
      index integer not null,
      plugin_id text not null constraint pipeline_steps_plugin_id_fkey references plugins on delete restrict,
      max_attempts integer not null,
      backoff_seconds double precision not null,
      timeout_seconds double precision not null,
      primary key (pipeline_id, index)
    );
    create index pipeline_steps_plugin on pipeline_steps (plugin_id);

    create table resources (
      id uuid primary key,
      name text not null,
      type text not null,
      source_type text not null check (source_type in ('UPLOAD', 'URL')),
      source_uri text,
      object_key text,
      size_bytes bigint,
      sha256 text,
      media_type text,
      status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
      is_enabled boolean not null default true,
      run integer not null default 0,
      error text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3)
    );
    create index resources_newest on resources (created_at desc, id desc);
    create index resources_type on resources (type, created_at desc, id desc);
    create index resources_status on resources (status, created_at desc, id desc);
    create index resources_name on resources using gin (name gin_trgm_ops);

    create table runs (
      resource_id uuid not null references resources on delete cascade,
      run integer not null,
      status text not null check (status in ('PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
      workflow_id text not null,
      source_ready boolean not null,
      started_at timestamptz(3) not null default now(),
      begun_at timestamptz(3),
      finished_at timestamptz(3),
      cancel_requested_at timestamptz(3),
      checked_at timestamptz(3) not null default now(),
      missing_since timestamptz(3),
      error text,
      primary key (resource_id, run)
    );
    create index runs_unchecked on runs (checked_at) where status = 'PROCESSING';

    create table steps (
      resource_id uuid not null,
      run integer not null,
      index integer not null,
      plugin_id text not null,
      kind text not null,
      task_queue text,
      activity_type text,
      endpoint text,
      heartbeat_seconds double precision,
      max_attempts integer not null,
      backoff_seconds double precision not null,
      timeout_seconds double precision not null,
      status text not null check (status in ('PENDING', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED')),
      attempt integer not null default 0,
      attempt_base integer not null default 0,
      interruptions integer not null default 0,
      retry_at timestamptz(3),
      started_at timestamptz(3),
      finished_at timestamptz(3),
      progress text,
      error text,
      waiting_for text,
      primary key (resource_id, run, index),
      foreign key (resource_id, run) references runs on delete cascade
    );
    create index steps_unfinished on steps (plugin_id) where status in ('PENDING', 'RUNNING', 'RETRYING');

    create table attempts (
      resource_id uuid not null,
      run integer not null,
      step_index integer not null,
      number integer not null,
      max integer not null,
      started_at timestamptz(3) not null default now(),
      deadline timestamptz(3) not null,
      outcome text check (outcome in ('SUCCESS', 'FAILURE', 'TIMED_OUT', 'CANCELLED', 'SUPERSEDED')),
      settled_by text check (settled_by in ('REPORT', 'CORE')),
      settled_at timestamptz(3),
      report_hash text,
      error text,
      retryable boolean,
      retry_after_seconds double precision,
      signal_due_at timestamptz(3),
      primary key (resource_id, run, step_index, number),
      foreign key (resource_id, run, step_index) references steps on delete cascade
    );
    create index attempts_signal_due on attempts (signal_due_at) where signal_due_at is not null;

    create table artifacts (
      id uuid primary key,
      resource_id uuid not null references resources on delete cascade,
      step_index integer not null,
      type text not null,
      content_type text not null check (content_type in ('text', 'json', 'vector')),
      plugin_id text not null,
      run integer not null,
      current_run integer not null,
      size_bytes bigint not null,
      metadata text not null default '{}',
      object_key text not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (resource_id, step_index, type)
    );

    create table outbox (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('START', 'CANCEL', 'CLEAN_UP', 'REPROCESS')),
      resource_id uuid not null,
      run integer,
      created_at timestamptz(3) not null default now(),
      due_at timestamptz(3) not null default now(),
      leased_until timestamptz(3),
      tries integer not null default 0,
      last_error text
    );
    create index outbox_due on outbox (due_at, id);
    create index outbox_resource on outbox (resource_id, run);

    create table discarded_objects (
      key text primary key,
      due_at timestamptz(3) not null default now()
    );
    create index discarded_objects_due on discarded_objects (due_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table discarded_objects, outbox, artifacts, attempts, steps, runs, resources,
      pipeline_steps, pipelines, plugins, api_keys;
  `);
}
