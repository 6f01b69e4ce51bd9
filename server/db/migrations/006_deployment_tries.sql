-- serves programs from schema 3 on

-- The tries at verifying a deployment. A claim has an id of its own, which is that of the check that it makes. The last
-- claim leaves no `try_at`: whoever dies with it leaves nothing to be tried again.
alter table deployments
  add column claim_id text,
  add column tries integer not null default 0,
  add column tried_at timestamptz,
  add column try_at timestamptz default now(),
  add column failure jsonb;
drop index deployments_queued;
create index deployments_queued on deployments (try_at) where check_id is null;
