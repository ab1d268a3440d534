/**
 * When a step started to wait for a worker, a callback or a retry. A trigger maintains it, so that no statement that
 * changes what a step waits for can forget to. A wait continues as long as the same attempt waits for the same kind of
 * thing. Room is a free slot in a worker. The first step of a run waits for a worker from the moment the run was
 * requested.
 *
 * `wait_checked_at`: when Temporal was last asked about the wait; see storage/runs/waits.ts. Steps that it is not asked
 * about are not in the index, since they may be many and would always come first.
 */
export const waits = String.raw`
  create function waits_for(waiting_for text) returns text language sql immutable as $$
    select case substring(waiting_for from '^\{"kind"[ ]*:[ ]*"([a-z]+)"')
      when 'worker' then 'worker' when 'room' then 'worker' when 'callback' then 'callback' when 'retry' then 'retry' end
  $$;

  create function note_wait() returns trigger language plpgsql as $$
  begin
    if waits_for(new.waiting_for) is null then
      new.waiting_since := null;
    elsif old.waiting_since is null or new.attempt <> old.attempt
      or waits_for(new.waiting_for) is distinct from waits_for(old.waiting_for) then
      new.waiting_since := now();
    end if;
    return new;
  end $$;

  create trigger wait_changed before update on steps
    for each row when (
      old.waiting_for is distinct from new.waiting_for or (old.status = 'PENDING' and new.status <> 'PENDING')
    ) execute function note_wait();

  create index steps_unchecked on steps (wait_checked_at)
    where status in ('RUNNING', 'RETRYING')
      and not (kind = 'http' and coalesce(waits_for(waiting_for) in ('callback', 'retry'), false));
  create index steps_waiting on steps (waiting_since) where waiting_since is not null;
`;
