import type { Knex } from 'knex';

/** What requests with an Idempotency-Key were answered; without an answer, a request that is in flight. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
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
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table idempotency_keys;');
}
