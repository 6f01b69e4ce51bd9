-- One row holds the count of an account's month: taking a slot costs the same however many checks there were.
create table usage (
  account_id text not null references accounts (id),
  month date not null,
  used integer not null check (used >= 0),
  primary key (account_id, month)
);

-- Its row is the lock under which a host's checks are counted and one more is admitted.
create table hosts (
  host text primary key
);

-- Only a check of kind `api` has an account, and holds a slot of `month`. `masked_url` is the address as the check's
-- answer shows it. `first_byte_ms` is null if no first byte came. `findings` says how each finding ended and what it
-- earned, by its id.
create table checks (
  id text primary key,
  kind text not null check (kind in ('api', 'deployment', 'cycle', 'scan')),
  account_id text references accounts (id),
  month date,
  project_id text references projects (id),
  host text not null,
  state text not null check (state in ('running', 'done', 'given_back')),
  step text,
  started_at timestamptz not null default now(),
  admitted_at timestamptz,
  lease_until timestamptz not null,
  idempotency_key text,
  request_hash bytea,
  masked_url text,
  score integer,
  verdict text,
  ruleset text,
  first_byte_ms integer,
  answer text,
  findings jsonb,
  evidence bytea,
  check ((account_id is null) = (month is null))
);
create index checks_running on checks (lease_until) where state = 'running';
create index checks_by_host on checks (host, admitted_at);
create index checks_of_account on checks (account_id, started_at, id) where kind = 'api';
create index checks_by_project on checks (project_id) where project_id is not null;
-- If two requests have one key, the second insert fails here; the request then waits for the first or replays it.
create unique index checks_idempotency on checks (account_id, idempotency_key)
  where idempotency_key is not null and state <> 'given_back';
-- What retention deletes and empties: a pass reads what is due and nothing else. The checks that deployments came to are
-- kept longer than others, so they have an index of their own.
create index checks_by_kind_and_age on checks (kind, started_at) where kind <> 'deployment' or state = 'given_back';
create index checks_of_deployments_by_age on checks (started_at) where kind = 'deployment' and state = 'done';
create index checks_with_answer_by_kind on checks (kind, started_at) where answer is not null;

-- The functions below lock rows of `usage` first, in the order of accounts and months, and rows of `checks` after them, so
-- that none waits for another in a circle. They are functions because each statement of a function sees what was committed
-- before it began. A single statement that waited for a lock sees only the locked row anew.

-- Starts a check's lease with one slot of the account's month, unless its idempotency key is `repeated` within `key_time`
-- or the month's slots are `exhausted`. `slots` and `quota` are the count and the limit, the account's own or of its plan,
-- by which that was decided.
create function take_slot(
  check_id text, check_account text, check_host text, check_key text, check_hash bytea, limits jsonb,
  key_time interval, lease interval,
  out outcome text, out slots integer, out quota integer, out asked_at timestamptz
) language plpgsql as $$
declare
  this_month date := date_trunc('month', now() at time zone 'utc')::date;
begin
  asked_at := now();
  insert into usage (account_id, month, used) values (check_account, this_month, 0) on conflict do nothing;
  select used into slots from usage where account_id = check_account and month = this_month for update;
  select coalesce(checks_a_month, (limits ->> plan)::integer) into quota from accounts where id = check_account;

  if check_key is not null then
    update checks set idempotency_key = null
    where account_id = check_account and idempotency_key = check_key and state <> 'given_back'
      and started_at <= now() - key_time;
    perform from checks where account_id = check_account and idempotency_key = check_key and state <> 'given_back';
    if found then
      outcome := 'repeated';
      return;
    end if;
  end if;
  if slots >= quota then
    outcome := 'exhausted';
    return;
  end if;

  -- At the turn of the month another use of the key may hold last month's row of `usage`: the unique index decides.
  insert into checks (id, kind, account_id, month, host, state, lease_until, idempotency_key, request_hash)
  values (check_id, 'api', check_account, this_month, check_host, 'running', now() + lease, check_key, check_hash)
  on conflict (account_id, idempotency_key) where idempotency_key is not null and state <> 'given_back' do nothing;
  if not found then
    outcome := 'repeated';
    return;
  end if;
  update usage set used = used + 1 where account_id = check_account and month = this_month returning used into slots;
  outcome := 'taken';
end
$$;

-- Ends checks without a result: the slots of an account's checks return to the months that they came from, and their
-- idempotency keys are free. A check that was never admitted leaves no row, unless somebody follows it by its steps; the
-- others still count for their host. With
-- `only_expired` those end whose lease is over; without, also an account's check that is done and has no key by which its
-- answer could still be had, since its client was told that it failed.
create function give_slots_back(ids text[], only_expired boolean) returns void language plpgsql as $$
begin
  perform from usage
  where (account_id, month) in (select account_id, month from checks where id = any (ids) and kind = 'api')
  order by account_id, month for update;

  with ending as (
    select id, kind, account_id, month, coalesce(admitted_at::text, step) as kept_for from checks
    where id = any (ids) and case
      when only_expired then state = 'running' and lease_until < now()
      else state = 'running' or (state = 'done' and kind = 'api' and idempotency_key is null)
    end
    order by id for update
  ), removed as (
    delete from checks using ending where checks.id = ending.id and ending.kept_for is null
  ), kept as (
    update checks set state = 'given_back' from ending
    where checks.id = ending.id and ending.kept_for is not null
  )
  update usage set used = used - slots
  from (
    select account_id, month, count(*)::integer as slots from ending where kind = 'api' group by account_id, month
  ) as counted
  where usage.account_id = counted.account_id and usage.month = counted.month;
end
$$;

-- Admits those of a host's waiting checks for which its bounds have room, and begins their leases anew. `bounds` is
-- {"account": {"atOnce", "aMinute"}, "all": {"atOnce", "aMinute"}}. The next to be admitted is of the account with the
-- fewest checks there, and of its checks the first asked for. All scans of a host, like all deployments, take turns as if
-- one account had asked for them. Scans also have the bounds of one account, at most half of the host's permits, so that
-- an account's checks of a host that many have scanned need not wait; deployments have only the bounds over all. It is
-- one statement to the program, so that the host's row is locked only while it runs, wherever a connection is cut.
create function admit_checks(asked_host text, asked_ids text[], bounds jsonb, lease interval)
returns setof text language plpgsql as $$
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
  -- Read after the lock: what was admitted before is counted, and was earlier.
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
      select id, kind, account_id, position from unnest(asked_ids) with ordinality as asked (id, position) join checks using (id)
      where state = 'running' and admitted_at is null for update of checks skip locked
    ), counted as (
      select id, asking.kind, position, coalesce(minute, 0) as minute, coalesce(running, 0) as running,
        row_number() over (partition by asking.kind, asking.account_id order by position) as turn
      from asking
      left join own on own.kind = asking.kind and own.account_id is not distinct from asking.account_id
    ), in_turn as (
      select id, row_number() over (order by running + turn, position) as turn from counted
      where kind = 'deployment' or (running + turn <= account_at_once and minute + turn <= account_a_minute)
    )
    update checks set admitted_at = admission_time, lease_until = admission_time + lease
    from in_turn, whole
    where checks.id = in_turn.id
      and whole.running + in_turn.turn <= all_at_once and whole.minute + in_turn.turn <= all_a_minute
    returning checks.id;
end
$$;
