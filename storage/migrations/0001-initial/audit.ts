/**
 * Who changed what through the REST API, and which keys `kw keys` created and revoked. Each row is written by the
 * change's transaction.
 */
export const audit = `
  create table audit (
    id bigint generated always as identity,
    at timestamptz(3) not null default now(),
    -- Not a foreign key: an entry outlives its key. Null for a change made directly on the database.
    key_id uuid,
    key_name text,
    address text,
    action text not null,
    object_type text not null,
    object_id text,
    request_id text,
    primary key (at, id)
  );
  create index audit_key on audit (key_id, at, id);
  create index audit_action on audit (action, at, id);
  create index audit_object on audit (object_id, at, id);
`;
