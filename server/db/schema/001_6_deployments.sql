-- A ship is a deployment to production. A `preview` is stored for 30 days. `deployed_at` is the provider's time, if it
-- gives one; `recorded_at` is the time of arrival. `event_key` identifies a repeated event. Each claim's id is also
-- that of its check. After the last attempt, `try_at` is null. The page may be missing for a while after `begun_at`,
-- the first verification. `check_id` is no foreign key: an old check is deleted while its row in `scores` stays.
create table deployments (
  id text primary key,
  project_id text not null references projects (id),
  kind text not null default 'announced' check (kind in ('announced', 'preview')),
  url text not null,
  environment text not null,
  commit text,
  commit_url text,
  ref text,
  ref_url text,
  deployed_at timestamptz not null default now(),
  recorded_at timestamptz not null default now(),
  provider_id text,
  event_key text,
  claim_id text,
  lease_until timestamptz,
  tries integer not null default 0,
  tried_at timestamptz,
  try_at timestamptz default now(),
  begun_at timestamptz,
  failure jsonb,
  check_id text,
  check (kind = 'announced' or environment <> 'production')
);
create index deployments_latest on deployments (project_id, deployed_at desc, id desc) where environment = 'production';
create index deployments_by_project on deployments (project_id);
create index deployments_listed on deployments (project_id, deployed_at desc, id desc) where kind <> 'preview';
create index deployments_previews on deployments (project_id, deployed_at desc, id desc) where kind = 'preview';
create index deployments_previews_by_age on deployments (recorded_at) where kind = 'preview';
create index deployments_queued on deployments (try_at) where check_id is null;
create index deployments_waiting on deployments (project_id, try_at) where check_id is null and try_at is not null;
create index deployments_verified on deployments (project_id, environment, deployed_at, id)
  where check_id is not null and kind <> 'preview';
create index deployments_by_event on deployments (project_id, event_key) where event_key is not null;
create index deployments_by_check on deployments (check_id) where check_id is not null;
