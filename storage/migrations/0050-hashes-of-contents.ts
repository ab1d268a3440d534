import type { Knex } from 'knex';

/**
 * The hash of each artifact's content. A process of the version before replaces an artifact's object and leaves these
 * columns alone, so `sha256_of` says which object the hash is of.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table artifacts add column sha256 text, add column sha256_of text;
    alter table uploads add column sha256 text;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table artifacts drop column sha256, drop column sha256_of;
    alter table uploads drop column sha256;
  `);
}
