-- serves programs from schema 3 on

-- As in 012, but scans of a host have the bounds of one account: at most half of its places, so that an account's checks
-- of a host that many have scanned need not wait.
create or replace function admit_checks(asked_host text, asked_ids text[], bounds jsonb) returns setof text language plpgsql as $$
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
      where kind = 'deployment' or (running + turn <= account_at_once and minute + turn <= account_a_minute)
    )
    update checks set admitted_at = admission_time, lease_until = admission_time + interval '20 seconds'
    from in_turn, whole
    where checks.id = in_turn.id
      and whole.running + in_turn.turn <= all_at_once and whole.minute + in_turn.turn <= all_a_minute
    returning checks.id;
end
$$;
