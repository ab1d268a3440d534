/** Resources, their runs with steps and attempts, and the artifacts these made. */
export const resources = `
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
    metadata jsonb not null default '{}',
    connector_id uuid,
    run integer not null default 0,
    error text,
    -- Error code of the current run if it is FAILED, for filters.
    error_code text,
    failed_plugin text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    finished_at timestamptz(3)
  );

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
  create index runs_unchecked on runs (missing_since, checked_at) where status = 'PROCESSING';
  create index runs_finished on runs (finished_at, status) where finished_at is not null;
  create index runs_cancelling on runs (cancel_requested_at)
    where status = 'PROCESSING' and cancel_requested_at is not null;

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
    -- When a worker started the newest attempt; null if none has.
    attempt_started_at timestamptz(3),
    -- Set when the step ends: the time from its start to its first attempt, and the total time of its attempts.
    queue_seconds double precision,
    run_seconds double precision,
    finished_at timestamptz(3),
    progress text,
    error text,
    waiting_for text,
    -- Since when the step has waited for a worker, a callback or a retry; see waits.ts.
    waiting_since timestamptz(3),
    wait_checked_at timestamptz(3) not null default now(),
    -- The step was completed in the previous run, which this run resumes.
    is_kept boolean not null default false,
    primary key (resource_id, run, index),
    foreign key (resource_id, run) references runs on delete cascade
  );
  create index steps_unfinished on steps (plugin_id) where status in ('PENDING', 'RUNNING', 'RETRYING');
  create index steps_finished on steps (finished_at) include (plugin_id, status, attempt, started_at, queue_seconds, run_seconds)
    where status in ('COMPLETED', 'FAILED') and not is_kept;

  create table attempts (
    resource_id uuid not null,
    run integer not null,
    step_index integer not null,
    number integer not null,
    max integer not null,
    started_at timestamptz(3) not null default now(),
    deadline timestamptz(3) not null,
    -- When an HTTP worker answered 202; since then Core has been waiting for its callback.
    accepted_at timestamptz(3),
    outcome text check (outcome in ('SUCCESS', 'FAILURE', 'TIMED_OUT', 'CANCELLED', 'SUPERSEDED')),
    settled_by text check (settled_by in ('REPORT', 'CORE', 'SWEEP')),
    settled_at timestamptz(3),
    report_hash text,
    error text,
    retryable boolean,
    retry_after_seconds double precision,
    signal_due_at timestamptz,
    silent_at timestamptz(3),
    -- The id of the HTTP plugin that the attempt was delivered to; null for activities.
    delivered_to text,
    primary key (resource_id, run, step_index, number),
    foreign key (resource_id, run, step_index) references steps on delete cascade
  );
  create index attempts_signal_due on attempts (signal_due_at) where signal_due_at is not null;
  create index attempts_delivered on attempts (delivered_to, outcome, settled_at)
    where delivered_to is not null and outcome is not null;
  create index attempts_silent on attempts (silent_at) where silent_at is not null;

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
    sha256 text,
    -- The object that sha256 belongs to. It is only valid while it equals object_key.
    sha256_of text,
    unique (resource_id, step_index, type)
  );

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
    sha256 text,
    foreign key (resource_id, run, step_index, attempt) references attempts on delete cascade
  );
  create index uploads_attempt on uploads (resource_id, run, step_index, attempt);
`;
