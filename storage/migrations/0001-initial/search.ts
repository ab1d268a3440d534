/**
 * What is searchable, what the index holds, and the differences that remain to be indexed.
 *
 * `search_sources` lists the artifacts of each resource's last COMPLETED run. Their objects stay in the store while a
 * row refers to them, even if a later run that does not complete replaces the artifacts. `search_indexes` lists the
 * indexes: one answers searches, one may be under construction, retired ones wait for their removal. `search_indexed`
 * records for each resource in an index which run its chunks come from; chunks of other runs are never shown.
 * `search_changes` is the work queue of the indexer. A later change of the same resource gets a new number, so that
 * finishing an earlier one does not remove it.
 */
export const search = `
  create table search_sources (
    resource_id uuid primary key references resources on delete cascade,
    run integer not null,
    -- The type of the artifact: chunks, or text if the run made no chunks; null: neither.
    kind text check (kind in ('chunks', 'text')),
    artifact_id uuid,
    object_key text,
    size_bytes bigint,
    sha256 text,
    metadata text,
    vectors_key text,
    vectors_bytes bigint,
    vectors_sha256 text,
    vectors_metadata text
  );
  create index search_sources_object on search_sources (object_key);
  create index search_sources_vectors on search_sources (vectors_key) where vectors_key is not null;

  create table search_indexes (
    id integer generated always as identity primary key,
    -- The location from the settings when the index was created.
    uri text not null,
    -- The format of its tables; other versions of the service may use another one.
    format integer not null,
    state text not null check (state in ('BUILDING', 'CURRENT', 'RETIRED')),
    created_at timestamptz(3) not null default now(),
    retired_at timestamptz(3),
    -- Resources up to this id were processed; filled: all were.
    filled_up_to uuid,
    is_filled boolean not null default false,
    -- Incremented by each write that searches must see.
    version bigint not null default 0,
    -- Writes up to this number are in the full text index; later ones are scanned row by row.
    indexed_writes bigint not null default 0,
    writes bigint not null default 0,
    resources integer not null default 0,
    chunks bigint not null default 0,
    failed integer not null default 0,
    -- Since when the upkeep of the index has failed; searches still work, but become slower.
    upkeep_failing_since timestamptz(3)
  );
  create unique index search_indexes_one on search_indexes (state) where state <> 'RETIRED';

  create table search_indexed (
    index_id integer not null references search_indexes on delete cascade,
    resource_id uuid not null,
    run integer not null,
    artifact_id uuid,
    chunks integer not null,
    -- The number of the first write of its chunks: rows of the resource with a lower number are stale.
    write bigint not null,
    -- Why the chunks could not be read.
    error text,
    primary key (index_id, resource_id)
  );
  create index search_indexed_failures on search_indexed (index_id, resource_id) where error is not null;

  create table search_vectors (
    index_id integer not null references search_indexes on delete cascade,
    dimensions integer not null,
    model text not null,
    primary key (index_id, dimensions, model)
  );

  create sequence search_change_numbers;
  create table search_changes (
    resource_id uuid primary key,
    number bigint not null default nextval('search_change_numbers'),
    at timestamptz(3) not null default now(),
    due_at timestamptz not null default now(),
    tries integer not null default 0
  );
  create index search_changes_due on search_changes (due_at, number);
  create index search_changes_oldest on search_changes (at);

  create function note_search_change(resource uuid) returns void language sql as $$
    insert into search_changes (resource_id) values (resource)
    on conflict (resource_id) do update set number = nextval('search_change_numbers'), due_at = now(), tries = 0
  $$;

  create function note_completed_resource() returns trigger language plpgsql as $$
  begin
    -- What search read until now may have been kept for it: see storage/sweeps/discarded-objects.ts.
    update discarded_objects d set due_at = now() from search_sources s
    where s.resource_id = new.id and d.key in (s.object_key, s.vectors_key);
    insert into search_sources
      (resource_id, run, kind, artifact_id, object_key, size_bytes, sha256, metadata,
       vectors_key, vectors_bytes, vectors_sha256, vectors_metadata)
    select new.id, new.run, content.type, content.id, content.object_key, content.size_bytes,
      case when content.sha256_of = content.object_key then content.sha256 end, content.metadata,
      vectors.object_key, vectors.size_bytes,
      case when vectors.sha256_of = vectors.object_key then vectors.sha256 end, vectors.metadata
    from (select 1) as one
    left join lateral (
      select * from artifacts a
      where a.resource_id = new.id and a.current_run = new.run
        and (a.type, a.content_type) in (('chunks', 'json'), ('text', 'text'))
      order by a.type, a.step_index desc limit 1
    ) as content on true
    left join lateral (
      select * from artifacts a
      where a.resource_id = new.id and a.current_run = new.run and a.type = 'embeddings' and a.content_type = 'vector'
        and content.type = 'chunks'
      order by a.step_index desc limit 1
    ) as vectors on true
    on conflict (resource_id) do update set
      run = excluded.run, kind = excluded.kind, artifact_id = excluded.artifact_id, object_key = excluded.object_key,
      size_bytes = excluded.size_bytes, sha256 = excluded.sha256, metadata = excluded.metadata,
      vectors_key = excluded.vectors_key, vectors_bytes = excluded.vectors_bytes, vectors_sha256 = excluded.vectors_sha256,
      vectors_metadata = excluded.vectors_metadata;
    perform note_search_change(new.id);
    return null;
  end $$;

  create trigger resource_completed after update of status on resources
    for each row when (new.status = 'COMPLETED' and old.status <> 'COMPLETED')
    execute function note_completed_resource();

  create function note_deleted_resource() returns trigger language plpgsql as $$
  begin
    if exists (select from search_sources where resource_id = old.id) then
      perform note_search_change(old.id);
    end if;
    return old;
  end $$;

  create trigger resource_leaves before delete on resources
    for each row execute function note_deleted_resource();
`;
