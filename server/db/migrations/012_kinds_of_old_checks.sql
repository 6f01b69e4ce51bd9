-- serves programs from schema 3 on

-- The checks of deployments that ended before 011. Nobody else writes to them but to clean up, which skips locked rows.
update checks set kind = 'deployment',
  project_id = (select project_id from deployments where deployments.check_id = checks.id)
where kind = 'api' and account_id is null;
alter table checks validate constraint checks_kind;

-- As in 005, by kind. Ends checks without a result: the slots of an account's checks return to the months that they came
-- from, and their idempotency keys are free. A check that was never admitted leaves no row; the others still count for
-- their host. With `only_expired` those end whose lease is over; without, also an account's check that is done and has
-- no key by which its answer could still be had, since its client was told that it failed.
create or replace function give_slots_back(ids text[], only_expired boolean) returns void language plpgsql as $$
begin
  perform from usage
  where (account_id, month) in (select account_id, month from checks where id = any (ids) and kind = 'api')
  order by account_id, month for update;

  with ending as (
    select id, kind, account_id, month, admitted_at from checks
    where id = any (ids) and case
      when only_expired then state = 'running' and lease_until < now()
      else state = 'running' or (state = 'done' and kind = 'api' and idempotency_key is null)
    end
    order by id for update
  ), removed as (
    delete from checks using ending where checks.id = ending.id and ending.admitted_at is null
  ), kept as (
    update checks set state = 'given_back' from ending
    where checks.id = ending.id and ending.admitted_at is not null
  )
  update usage set used = used - slots
  from (
    select account_id, month, count(*)::integer as slots from ending where kind = 'api' group by account_id, month
  ) as counted
  where usage.account_id = counted.account_id and usage.month = counted.month;
end
$$;

-- As in 004, by kind and with the bounds of the program that asks: `bounds` is {"account": {"atOnce", "aMinute"},
-- "all": {"atOnce", "aMinute"}}. Lets in those of a host's waiting checks for which its bounds have room, and begins
-- their leases anew. The next to be let in is of the account with the fewest checks there, and of its checks the first
-- asked for. Checks of another kind than `api` take turns as if one account had asked for them, and have the bounds over
-- all. It is one statement to the program, so that the host's row is locked only while it runs, wherever a connection is
-- cut. The function of two arguments is for programs of schema 10 and earlier.
create function admit_checks(asked_host text, asked_ids text[], bounds jsonb) returns setof text language plpgsql as $$
declare
  admission_time timestamptz;
  account_at_once integer := bounds #>> '{account,atOnce}';
  account_a_minute integer := bounds #>> '{account,aMinute}';
  all_at_once integer := bounds #>> '{all,atOnce}';
  all_a_minute integer := bounds #>> '{all,aMinute}';
begin
  -- A host that another server deletes meanwhile is not found, and inserted again.
  perform from hosts where host = asked_host for update;
  if not found then
    insert into hosts (host) values (asked_host) on conflict (host) do update set host = excluded.host;
  end if;
  -- Read after the lock: what was let in before is counted, and was earlier.
  admission_time := clock_timestamp();
  return query
    with recent as (
      select kind, account_id, state = 'running' and lease_until > admission_time as is_running from checks
      where host = asked_host and admitted_at > admission_time - interval '1 minute'
    ), own as (
      select kind, account_id, count(*) as minute, count(*) filter (where is_running) as running from recent
      group by kind, account_id
    ), whole as (
      select count(*) as minute, count(*) filter (where is_running) as running from recent
    ), asking as (
      -- A check that is being given back is skipped: waiting for it could be waiting in a circle.
      select id, kind, account_id, place from unnest(asked_ids) with ordinality as asked (id, place) join checks using (id)
      where state = 'running' and admitted_at is null for update of checks skip locked
    ), counted as (
      select id, asking.kind, place, coalesce(minute, 0) as minute, coalesce(running, 0) as running,
        row_number() over (partition by asking.kind, asking.account_id order by place) as turn
      from asking
      left join own on own.kind = asking.kind and own.account_id is not distinct from asking.account_id
    ), in_turn as (
      select id, row_number() over (order by running + turn, place) as turn from counted
      where kind <> 'api' or (running + turn <= account_at_once and minute + turn <= account_a_minute)
    )
    update checks set admitted_at = admission_time, lease_until = admission_time + interval '20 seconds'
    from in_turn, whole
    where checks.id = in_turn.id
      and whole.running + in_turn.turn <= all_at_once and whole.minute + in_turn.turn <= all_a_minute
    returning checks.id;
end
$$;
