/**
 * Work that outlives a request: messages to Temporal, objects and external plugin data to remove, responses kept under
 * an Idempotency-Key, sweeps that only one process at a time runs, and counts of their repairs.
 *
 * Times that say when work is due are not rounded to milliseconds like the others: rounded up, work that is due at once
 * would not be due yet when it is looked for.
 */
export const deferredWork = `
  create table outbox (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('START', 'CANCEL', 'CLEAN_UP', 'OPERATION')),
    -- For the kind OPERATION, the operation's id.
    resource_id uuid not null,
    run integer,
    created_at timestamptz(3) not null default now(),
    due_at timestamptz not null default now(),
    leased_until timestamptz(3),
    tries integer not null default 0,
    last_error text,
    -- The request and the trace that caused the message. A transaction sets it once for all its messages.
    origin text default nullif(current_setting('kw.origin', true), '')
  );
  create index outbox_due on outbox (due_at, id);
  create index outbox_resource on outbox (resource_id, run);

  create table discarded_objects (
    key text primary key,
    due_at timestamptz not null default now()
  );
  create index discarded_objects_due on discarded_objects (due_at);

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

  create table idempotency_keys (
    id bytea primary key,
    claim uuid not null,
    expires_at timestamptz(3) not null,
    fingerprint text,
    status integer,
    headers text,
    body text,
    check (num_nonnulls(fingerprint, status, headers, body) in (0, 4))
  );
  create index idempotency_keys_expired on idempotency_keys (expires_at);

  create table sweeps (
    name text primary key,
    due_at timestamptz not null,
    position text,
    -- The server process of a connection of the holder: see storage/sweeps/leases.ts.
    backend integer
  );

  create table repairs (
    kind text primary key,
    count bigint not null
  );
`;
