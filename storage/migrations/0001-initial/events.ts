/**
 * The change events. Triggers write them in the transaction of the change, so that no code can forget to. Events are
 * read in the order of (txid, id), only up to the oldest transaction that is still open. One row older than all others
 * is always kept: a reader that has seen it, or a later one, has missed nothing.
 *
 * A transaction that calls NOTIFY blocks others that do, from its commit until that is on disk. So only one at a time
 * does: a transaction that finds another one notifying skips it, and the reader, once woken, keeps polling until every
 * transaction that was open then has ended.
 *
 * An error appears without its details. Sequences that PostgreSQL's JSON functions cannot decode (NUL and lone
 * surrogates, which JSON.stringify writes as escapes) are replaced first. knex treats a bare question mark as a
 * parameter.
 */
export const events = String.raw`
  create table events (
    txid xid8 not null default pg_current_xact_id(),
    id bigint generated always as identity,
    at timestamptz(3) not null default now(),
    type text not null,
    resource_id uuid,
    data json not null,
    primary key (txid, id)
  ) with (autovacuum_vacuum_scale_factor = 0.05);
  insert into events (type, data) values ('begin', '{}');

  create function announce_events() returns void language plpgsql as $$
  begin
    if pg_try_advisory_xact_lock(hashtext('knowledge-warehouse events')) then
      perform pg_notify('kw_events', '');
    end if;
  end $$;

  create function event_error(error text) returns json language sql immutable as $$
    select json_build_object('code', e ->> 'code', 'message', left(e ->> 'message', 1000), 'step', e -> 'step')
    from (
      select regexp_replace(error, '(\?<!\\)((\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1�', 'gi')::json as e
    ) as sanitised
    where error is not null
  $$;

  create function record_resource_event() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into events (type, resource_id, data) values ('resource.deleted', old.id, '{}');
    else
      insert into events (type, resource_id, data)
      values (
        case tg_op when 'INSERT' then 'resource.created' else 'resource.updated' end, new.id,
        json_build_object(
          'name', new.name, 'type', new.type, 'status', new.status, 'run', new.run, 'is_enabled', new.is_enabled,
          'updated_at', new.updated_at, 'error', event_error(new.error)
        )
      );
    end if;
    perform announce_events();
    return null;
  end $$;

  create trigger resource_added after insert or delete on resources
    for each row execute function record_resource_event();
  create trigger resource_changed after update on resources
    for each row when (old.* is distinct from new.*) execute function record_resource_event();

  create function record_step_event() returns trigger language plpgsql as $$
  begin
    insert into events (type, resource_id, data)
    values (
      'step.updated', new.resource_id,
      json_build_object(
        'run', new.run, 'index', new.index, 'plugin_id', new.plugin_id, 'status', new.status,
        'attempt', new.attempt, 'max_attempts', new.max_attempts + new.interruptions,
        'started_at', new.started_at, 'attempt_started_at', new.attempt_started_at,
        'finished_at', new.finished_at, 'queue_seconds', new.queue_seconds, 'run_seconds', new.run_seconds,
        'progress', new.progress::json,
        'error', event_error(new.error), 'waiting_for', new.waiting_for::json
      )
    );
    perform announce_events();
    return null;
  end $$;

  create trigger step_changed after update on steps
    for each row when (
      (old.status, old.attempt, old.interruptions, old.started_at, old.attempt_started_at, old.finished_at, old.progress,
        old.error, old.waiting_for)
      is distinct from
      (new.status, new.attempt, new.interruptions, new.started_at, new.attempt_started_at, new.finished_at, new.progress,
        new.error, new.waiting_for)
    ) execute function record_step_event();

  create function record_artifact_event() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      -- The resource is being deleted too, so this event would add nothing.
      if not exists (select from resources where id = old.resource_id) then
        return null;
      end if;
      insert into events (type, resource_id, data)
      values (
        'artifact.deleted', old.resource_id,
        json_build_object('artifact_id', old.id, 'type', old.type, 'step_index', old.step_index)
      );
    else
      insert into events (type, resource_id, data)
      values (
        'artifact.updated', new.resource_id,
        json_build_object(
          'artifact_id', new.id, 'type', new.type, 'content_type', new.content_type, 'step_index', new.step_index,
          'plugin_id', new.plugin_id, 'run', new.run, 'size_bytes', new.size_bytes, 'updated_at', new.updated_at
        )
      );
    end if;
    perform announce_events();
    return null;
  end $$;

  create trigger artifact_added after insert or delete on artifacts
    for each row execute function record_artifact_event();
  create trigger artifact_changed after update on artifacts
    for each row when (old.object_key is distinct from new.object_key) execute function record_artifact_event();

  create function record_pipeline_event() returns trigger language plpgsql as $$
  declare
    pipeline pipelines := coalesce(new, old);
  begin
    insert into events (type, data)
    values (
      case tg_op when 'INSERT' then 'pipeline.created' when 'UPDATE' then 'pipeline.updated' else 'pipeline.deleted' end,
      json_build_object(
        'pipeline_id', pipeline.id, 'name', pipeline.name, 'trigger_type', pipeline.trigger_type,
        'updated_at', pipeline.updated_at
      )
    );
    perform announce_events();
    return null;
  end $$;

  create trigger pipeline_changed after insert or update or delete on pipelines
    for each row execute function record_pipeline_event();

  create function record_plugin_event() returns trigger language plpgsql as $$
  declare
    plugin plugins := coalesce(new, old);
  begin
    insert into events (type, data)
    values (
      case tg_op when 'INSERT' then 'plugin.created' when 'UPDATE' then 'plugin.updated' else 'plugin.deleted' end,
      json_build_object(
        'plugin_id', plugin.id, 'name', plugin.name, 'version', plugin.version, 'kind', plugin.kind,
        'is_active', plugin.is_active, 'updated_at', plugin.updated_at
      )
    );
    perform announce_events();
    return null;
  end $$;

  create trigger plugin_added after insert or delete on plugins
    for each row execute function record_plugin_event();
  create trigger plugin_changed after update on plugins
    for each row when (to_jsonb(old) - 'last_seen_at' is distinct from to_jsonb(new) - 'last_seen_at')
    execute function record_plugin_event();
`;
