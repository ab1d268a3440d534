/** Plugins and pipelines. */
export const pipelines = `
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
    reads text[],
    heartbeat_seconds double precision,
    cleanup_activity_type text,
    is_active boolean not null default true,
    built_in boolean not null default false,
    secret_sealed text,
    -- The previous ones, newest first, separated by spaces.
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
`;
