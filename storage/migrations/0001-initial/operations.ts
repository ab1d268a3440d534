/**
 * Bulk operations. The resources of an operation are fixed when it is accepted, one row each in `operation_items`. A
 * row gets its outcome in the transaction that acts on the resource. Items have no foreign keys: checking one for each
 * of a million rows would take longer than inserting them, and a resource may be deleted in the meantime.
 */
export const operations = `
  create table operations (
    id uuid primary key,
    action text not null
      check (action in ('reprocess', 'cancel', 'delete', 'enable', 'disable', 'set_metadata')),
    -- The filter as given; null if the resources were listed by id.
    filter text,
    from_step text,
    metadata text,
    status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED', 'CANCELLED')),
    matched integer not null,
    -- The request and the trace that caused it.
    origin text default nullif(current_setting('kw.origin', true), ''),
    created_at timestamptz(3) not null default now(),
    -- When items were last processed.
    progressed_at timestamptz(3) not null default now(),
    finished_at timestamptz(3),
    has_items boolean not null default true
  );
  create index operations_created on operations (created_at desc, id desc);
  create index operations_running on operations (progressed_at) where status = 'RUNNING';
  create index operations_finished on operations (finished_at) where finished_at is not null;
  create index operations_leftovers on operations (id) where status <> 'RUNNING' and has_items;

  create table operation_items (
    operation_id uuid not null,
    resource_id uuid not null,
    outcome text check (outcome in ('DONE', 'SKIPPED', 'FAILED')),
    primary key (operation_id, resource_id)
  );

  create table operation_counts (
    operation_id uuid not null references operations on delete cascade,
    outcome text not null check (outcome in ('DONE', 'SKIPPED', 'FAILED')),
    code text not null default '',
    count integer not null,
    primary key (operation_id, outcome, code)
  ) with (fillfactor = 50);

  create function record_operation_event() returns trigger language plpgsql as $$
  begin
    insert into events (type, data)
    select 'operation.updated', json_build_object(
      'operation_id', new.id, 'action', new.action, 'status', new.status, 'matched', new.matched,
      'done', coalesce(sum(c.count) filter (where c.outcome = 'DONE'), 0),
      'skipped', coalesce(json_object_agg(c.code, c.count) filter (where c.outcome = 'SKIPPED'), '{}'),
      'failed', coalesce(json_object_agg(c.code, c.count) filter (where c.outcome = 'FAILED'), '{}'),
      'finished_at', new.finished_at
    )
    from operation_counts c where c.operation_id = new.id;
    perform announce_events();
    return null;
  end $$;

  create trigger operation_added after insert on operations
    for each row execute function record_operation_event();
  create trigger operation_changed after update on operations
    for each row when ((old.status, old.progressed_at) is distinct from (new.status, new.progressed_at))
    execute function record_operation_event();

  -- Groups of failures, and the newest failure of each group.
  create index resources_failures on resources (error_code, failed_plugin, type, finished_at desc, id)
    where status = 'FAILED';
`;
