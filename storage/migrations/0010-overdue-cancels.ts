import type { Knex } from 'knex';

/** Runs whose end was asked for are few: those that do not end are found without looking at the others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index runs_cancelling on runs (cancel_requested_at)
      where status = 'PROCESSING' and cancel_requested_at is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index runs_cancelling');
}
