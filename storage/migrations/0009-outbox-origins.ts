import type { Knex } from 'knex';

/**
 * Which request, and which trace, a message to Temporal comes from. A transaction says so once, by a setting of its own;
 * every message it writes takes it from there.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    `alter table outbox add column origin text default nullif(current_setting('kw.origin', true), '');`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table outbox drop column origin;');
}
