-- serves programs from schema 3 on

-- Lets in those of a host's waiting checks that its bounds have room for, and begins their leases anew: at most 4 at
-- once and 60 a minute of an account, 8 and 240 over all. It is one statement to the program, so that the host's row is
-- locked for its run alone, wherever a connection is cut. Those asked for take turns: the next is of the account that
-- has the fewest there, and of these the first asked for. A deployment's check has no account, and the bounds over all.
create function admit_checks(asked_host text, asked_ids text[]) returns setof text language plpgsql as $$
declare
  admission_time timestamptz;
begin
  -- A host that another server forgets meanwhile is not found, and written again.
  perform from hosts where host = asked_host for update;
  if not found then
    insert into hosts (host) values (asked_host) on conflict (host) do update set host = excluded.host;
  end if;
  -- After the lock: whoever had it before is counted, and was earlier.
  admission_time := clock_timestamp();
  return query
    with recent as (
      select account_id, state = 'running' and lease_until > admission_time as is_running from checks
      where host = asked_host and admitted_at > admission_time - interval '1 minute'
    ), own as (
      select account_id, count(*) as minute, count(*) filter (where is_running) as running from recent
      group by account_id
    ), whole as (
      select count(*) as minute, count(*) filter (where is_running) as running from recent
    ), asking as (
      -- One that is being given back is passed over: waiting for it could be waiting in a circle.
      select id, account_id, place from unnest(asked_ids) with ordinality as asked (id, place) join checks using (id)
      where state = 'running' and admitted_at is null for update of checks skip locked
    ), counted as (
      select id, asking.account_id, place, coalesce(minute, 0) as minute, coalesce(running, 0) as running,
        row_number() over (partition by asking.account_id order by place) as turn
      from asking left join own on own.account_id is not distinct from asking.account_id
    ), in_turn as (
      select id, row_number() over (order by running + turn, place) as turn from counted
      where account_id is null or (running + turn <= 4 and minute + turn <= 60)
    )
    update checks set admitted_at = admission_time, lease_until = admission_time + interval '20 seconds'
    from in_turn, whole
    where checks.id = in_turn.id and whole.running + in_turn.turn <= 8 and whole.minute + in_turn.turn <= 240
    returning checks.id;
end
$$;
