/**
 * The numbers and strings in the metadata of resources, one row each, for range filters: an index on jsonb finds only
 * equal values. Triggers maintain them. An entry is the key, a separator that no key contains, and the value, so that
 * the entries of one key are contiguous and sorted by value: numbers as the bits of a double, made sortable, and
 * strings by their beginning. The entries of all keys share one column so that the planner can estimate how many rows
 * are in a range.
 */
export const metadataValues = `
  create table metadata_values (
    resource_id uuid not null references resources on delete cascade,
    entry text collate "C" not null,
    primary key (resource_id, entry)
  );
  create index metadata_values_entry on metadata_values (entry, resource_id);
  alter table metadata_values alter column entry set statistics 1000;

  create function sortable(number float8) returns text language sql immutable as $$
    select lpad(to_hex(case when bits < 0 then ~bits else bits # (-9223372036854775808) end), 16, '0')
    from (select ('x' || encode(float8send(number), 'hex'))::bit(64)::bigint as bits) as sent
  $$;

  create function metadata_entry(key text, value jsonb) returns text language sql immutable as $$
    select key || chr(1) || case jsonb_typeof(value)
      when 'number' then 'n' || sortable((value #>> '{}')::float8)
      when 'string' then 's' || left(value #>> '{}', 200)
    end
  $$;

  create function metadata_entries(metadata jsonb) returns setof text language sql immutable as $$
    select metadata_entry(key, value) from jsonb_each(metadata) where jsonb_typeof(value) in ('number', 'string')
  $$;

  create function keep_metadata_values() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      delete from metadata_values
      where resource_id = new.id and entry not in (select metadata_entries(new.metadata));
    end if;
    insert into metadata_values (resource_id, entry) select new.id, metadata_entries(new.metadata)
    on conflict do nothing;
    return null;
  end $$;

  create trigger metadata_set after insert on resources
    for each row when (new.metadata <> '{}') execute function keep_metadata_values();
  create trigger metadata_changed after update of metadata on resources
    for each row when (old.metadata is distinct from new.metadata) execute function keep_metadata_values();
`;
