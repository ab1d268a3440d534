import pg from 'pg';

/**
 * Gates inside PostgreSQL that stop a process in the middle of a transaction, at a known point, until the gate is
 * opened or the process is killed. A gate is a trigger that waits for a lock held by the test.
 */
export interface Gates {
  /**
   * Adds an open gate. `when` is the part before `execute function` in `create trigger`, such as `before insert on
   * attempts for each row`.
   */
  add(gate: string, when: string): Promise<void>;
  /** Closes a gate for one subject: `<name of the resource>`, or `<name> <index of the step>`. */
  close(gate: string, what: string): Promise<void>;
  open(gate: string, what: string): Promise<void>;
  /** Whether a transaction waits at a closed gate. */
  isReached(gate: string, what: string): Promise<boolean>;
  stop(): Promise<void>;
}

const waiting = `
  select 1 from pg_locks
  where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = hashtext($1)::bigint & 4294967295
    and objid::bigint = hashtext($2)::bigint & 4294967295`;

const wait = `
  create function wait_at_gate() returns trigger language plpgsql as $$
  declare
    changed jsonb := to_jsonb(new);
    what text := coalesce(
      changed->>'name',
      (select name from resources where id = (changed->>'resource_id')::uuid)
    ) || coalesce(' ' || coalesce(changed->>'step_index', changed->>'index'), '');
  begin
    perform pg_advisory_xact_lock_shared(hashtext(tg_argv[0]), hashtext(what));
    return new;
  end $$`;

/** Prepares a database for gates. */
export async function createGates(databaseUrl: string): Promise<Gates> {
  // A single connection, because it owns the locks.
  const session = new pg.Client({ connectionString: databaseUrl });
  await session.connect();
  await session.query(wait);
  return {
    async add(gate, when) {
      await session.query(
        `create ${when.includes('deferred') ? 'constraint ' : ''}trigger "gate ${gate}" ${when} execute function wait_at_gate('${gate}')`,
      );
    },
    async close(gate, what) {
      await session.query('select pg_advisory_lock(hashtext($1), hashtext($2))', [gate, what]);
    },
    async open(gate, what) {
      await session.query('select pg_advisory_unlock(hashtext($1), hashtext($2))', [gate, what]);
    },
    async isReached(gate, what) {
      return (await session.query(waiting, [gate, what])).rows.length > 0;
    },
    stop: () => session.end(),
  };
}
