/** API keys, browser sessions, and login links. */
export const access = `
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

  create table sessions (
    hash bytea primary key,
    api_key_id uuid not null references api_keys on delete cascade,
    created_at timestamptz(3) not null default now(),
    -- Extended while the session is in use, up to ends_at.
    expires_at timestamptz(3) not null,
    ends_at timestamptz(3) not null
  );
  create index sessions_expires_at on sessions (expires_at);
  create index sessions_api_key_id on sessions (api_key_id);

  create table login_links (
    hash bytea primary key,
    api_key_id uuid not null references api_keys on delete cascade,
    expires_at timestamptz(3) not null
  );
  create index login_links_expires_at on login_links (expires_at);
  create index login_links_api_key_id on login_links (api_key_id);
`;
