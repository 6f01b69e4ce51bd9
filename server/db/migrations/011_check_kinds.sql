-- serves programs from schema 3 on

-- What a check was made for, and for which project if for one, so that no other column says it by being null. The rows
-- that exist count as `api` without being written; those of deployments that have ended are corrected by 012.
alter table checks
  add column kind text not null default 'api',
  add column project_id text references projects (id),
  add constraint checks_kind check (kind in ('api', 'deployment', 'cycle', 'scan')) not valid;
alter table checks alter column kind drop default;

-- Programs of schema 10 and earlier insert checks without a kind, and tie them to deployments without a project.
create function set_check_kind() returns trigger language plpgsql as $$
begin
  new.kind := case when new.account_id is null then 'deployment' else 'api' end;
  return new;
end
$$;
create trigger checks_without_kind before insert on checks
  for each row when (new.kind is null) execute function set_check_kind();

create function set_check_project() returns trigger language plpgsql as $$
begin
  update checks set project_id = new.project_id where id = new.check_id and project_id is null;
  return null;
end
$$;
create trigger deployments_with_check after update of check_id on deployments
  for each row when (new.check_id is not null) execute function set_check_project();

-- As in 005, with the kind.
create or replace function take_slot(
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
  insert into checks (id, kind, account_id, month, host, state, lease_until, idempotency_key, request_hash)
  values (check_id, 'api', check_account, this_month, check_host, 'running', now() + interval '20 seconds', check_key,
    check_hash)
  on conflict (account_id, idempotency_key) where idempotency_key is not null and state <> 'given_back' do nothing;
  if not found then
    outcome := 'repeated';
    return;
  end if;
  update usage set used = used + 1 where account_id = check_account and month = this_month returning used into slots;
  outcome := 'taken';
end
$$;

-- Few, and nobody can be waiting for them: the table is locked.
update checks set kind = 'deployment' where state = 'running' and account_id is null;
