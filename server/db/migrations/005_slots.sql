-- serves programs from schema 3 on

-- Whoever takes or gives back slots locks their rows of `usage` first, in the order of accounts and months, and rows of
-- `checks` after them: so none waits for another in a circle. These are functions because each of their statements sees
-- what was committed before it began; one statement alone sees, after waiting for a lock, only the locked row anew.

-- Starts a check's lease of 20 s with one slot of the account's month, unless its idempotency key is `repeated` or the
-- month's slots are `exhausted`. `slots` and `quota` are the count and the limit, of the plan, by which that was decided.
create function take_slot(
  check_id text, check_account text, check_host text, check_key text, check_hash bytea, limits jsonb,
  out outcome text, out slots integer, out quota integer, out asked_at timestamptz
) language plpgsql as $$
declare
  this_month date := date_trunc('month', now() at time zone 'utc')::date;
begin
  asked_at := now();
  insert into usage (account_id, month, used) values (check_account, this_month, 0) on conflict do nothing;
  select used into slots from usage where account_id = check_account and month = this_month for update;
  select (limits ->> plan)::integer into quota from accounts where id = check_account;

  if check_key is not null then
    update checks set idempotency_key = null
    where account_id = check_account and idempotency_key = check_key and state <> 'given_back'
      and started_at <= now() - interval '24 hours';
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
  insert into checks (id, account_id, month, host, state, lease_until, idempotency_key, request_hash)
  values (check_id, check_account, this_month, check_host, 'running', now() + interval '20 seconds', check_key, check_hash)
  on conflict (account_id, idempotency_key) where idempotency_key is not null and state <> 'given_back' do nothing;
  if not found then
    outcome := 'repeated';
    return;
  end if;
  update usage set used = used + 1 where account_id = check_account and month = this_month returning used into slots;
  outcome := 'taken';
end
$$;

-- Ends checks without a result: their slots return to the months that they came from, and their idempotency keys are
-- free. One that was never admitted leaves no row; the others still count for their host. With `only_expired` those end
-- whose lease is over; without, also one that is done and has no key by which its answer could still be had, since its
-- client was told that it failed.
create function give_slots_back(ids text[], only_expired boolean) returns void language plpgsql as $$
begin
  perform from usage
  where (account_id, month) in (select account_id, month from checks where id = any (ids))
  order by account_id, month for update;

  with ending as (
    select id, account_id, month, admitted_at from checks
    where id = any (ids) and case
      when only_expired then state = 'running' and lease_until < now()
      else state = 'running' or (state = 'done' and idempotency_key is null and account_id is not null)
    end
    order by id for update
  ), removed as (
    delete from checks using ending where checks.id = ending.id and ending.admitted_at is null
  ), kept as (
    update checks set state = 'given_back' from ending
    where checks.id = ending.id and ending.admitted_at is not null
  )
  update usage set used = used - slots
  from (select account_id, month, count(*)::integer as slots from ending group by account_id, month) as counted
  where usage.account_id = counted.account_id and usage.month = counted.month;
end
$$;
