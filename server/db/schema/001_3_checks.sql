-- One row has the count of an account's month, so taking a slot costs the same however many checks there were.
create table usage (
  account_id text not null references accounts (id),
  month date not null,
  used integer not null check (used >= 0),
  primary key (account_id, month)
);

-- A host's row is the lock for counting its checks and admitting another.
create table hosts (
  host text primary key
);

-- Only a check of kind `api` has an account, and holds a slot of `month`. `first_byte_ms` is null if no first byte came.
-- `findings` has the status and the points of each finding, by id. `previous_files` is {"tried", "answered"}.
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
  previous_files jsonb,
  evidence bytea,
  check ((account_id is null) = (month is null))
);
create index checks_running on checks (lease_until) where state = 'running';
create index checks_by_host on checks (host, admitted_at);
create index checks_of_account on checks (account_id, started_at, id) where kind = 'api';
create index checks_by_project on checks (project_id) where project_id is not null;
-- If two requests have the same key, the second insert fails here; the request then waits for the first, or replays it.
create unique index checks_idempotency on checks (account_id, idempotency_key)
  where idempotency_key is not null and state <> 'given_back';
-- For the clean-up. Finished checks of deployments are stored longer than others, so they have a separate index.
create index checks_by_kind_and_age on checks (kind, started_at) where kind <> 'deployment' or state = 'given_back';
create index checks_of_deployments_by_age on checks (started_at) where kind = 'deployment' and state = 'done';
create index checks_with_answer_by_kind on checks (kind, started_at) where answer is not null;

-- The functions below lock rows of `usage` first, by account and month, and then rows of `checks`, so that they cannot
-- deadlock. They are functions because each statement of a function sees everything committed before it began. A single
-- statement that waits for a lock would re-read only the locked row.

-- The outcome is `repeated` if the idempotency key was used within `key_time`, and `exhausted` if no slot is left.
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

  -- At the turn of the month, another use of the key may hold last month's row of `usage`; then the unique index
  -- decides.
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

-- An unadmitted check leaves no row, unless a client follows its steps; an admitted one still counts for its host.
-- Without `only_expired`, an account's finished check without a key ends too: its client received an error, and can no
-- longer get the answer.
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

-- The next check is the oldest of the account that has the fewest checks there. All scans of a host take turns as one
-- account, with its limits (at most half of the host's permits), so an account need not wait behind many visitors.
-- Deployments also take turns as one account, but have only the limits over all. The lock of the host's row ends with
-- the statement, even if the connection is lost.
-- `bounds` is {"account": {"atOnce", "aMinute"}, "all": {"atOnce", "aMinute"}}.
create function admit_checks(asked_host text, asked_ids text[], bounds jsonb, lease interval)
returns setof text language plpgsql as $$
declare
  admission_time timestamptz;
  account_at_once integer := bounds #>> '{account,atOnce}';
  account_a_minute integer := bounds #>> '{account,aMinute}';
  all_at_once integer := bounds #>> '{all,atOnce}';
  all_a_minute integer := bounds #>> '{all,aMinute}';
begin
  -- If another server deletes the host at the same time, it is inserted again.
  perform from hosts where host = asked_host for update;
  if not found then
    insert into hosts (host) values (asked_host) on conflict (host) do update set host = excluded.host;
  end if;
  -- Read after the lock, so that everything admitted before is counted and is earlier.
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
      -- Skips a check that is being given back: waiting for it could cause a deadlock.
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
