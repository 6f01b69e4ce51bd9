-- serves programs from schema 3 on

-- Where the host of a project's deployments reports them. Secrets are sealed; the old one is good until its time.
create table hooks (
  id text primary key,
  project_id text not null references projects (id),
  provider text not null check (provider in ('github', 'vercel', 'netlify', 'gitlab', 'plain')),
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  created_at timestamptz not null default now()
);
create index hooks_by_project on hooks (project_id, created_at, id);

-- What was sent to a hook last, and what came of it. `event_key` tells two events apart; null: it was refused.
create table hook_deliveries (
  id text primary key,
  hook_id text not null references hooks (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  outcome text not null,
  event_key text
);
create index hook_deliveries_by_hook on hook_deliveries (hook_id, at desc, id desc);
