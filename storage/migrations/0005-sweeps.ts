import type { Knex } from 'knex';

/**
 * Sweeps that one process at a time does; what they repaired; and the identity by which an object store knows whose
 * it is.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table sweeps (
      name text primary key,
      due_at timestamptz(3) not null,
      position text
    );

    create table repairs (
      kind text primary key,
      count bigint not null
    );

    create table warehouse (
      id uuid not null,
      only_one boolean primary key default true check (only_one)
    );
    insert into warehouse (id) values (gen_random_uuid());
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table sweeps, repairs, warehouse;');
}
