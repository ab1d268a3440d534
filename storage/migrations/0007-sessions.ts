import type { Knex } from 'knex';

/** Browsers that are logged in, and the links that log one in. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table sessions (
      hash bytea primary key,
      api_key_id uuid not null references api_keys on delete cascade,
      created_at timestamptz(3) not null default now(),
      -- Moves on while the session is used, up to ends_at.
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
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table sessions, login_links;');
}
