-- Secrets are encrypted. A hook without one refuses everything, until its owner or new owner has set it.
create table hooks (
  id text primary key,
  project_id text not null references projects (id),
  provider text not null check (provider in ('github', 'vercel', 'netlify', 'gitlab', 'plain')),
  name text not null default '' check (length(name) <= 100),
  secret bytea,
  old_secret bytea,
  old_secret_until timestamptz,
  is_handed_over boolean not null default false,
  created_at timestamptz not null default now()
);
create index hooks_by_project on hooks (project_id, created_at, id);

-- `event_key` is null if the delivery was refused.
create table hook_deliveries (
  id text primary key,
  hook_id text not null references hooks (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  outcome text not null,
  event_key text
);
create index hook_deliveries_by_hook on hook_deliveries (hook_id, at desc, id desc);

-- The id is the hook's. `secret`, encrypted, is a token or the key of the app `app_id`. With `comments`, the report is
-- also posted on the pull request. `waits_until` is a time that the provider asked for.
create table status_reporting (
  id text primary key references hooks (id) on delete cascade,
  project_id text not null references projects (id),
  repository text not null,
  api text not null,
  host text not null,
  context text,
  comments boolean not null default false,
  app_id text,
  installation_id text,
  secret bytea not null,
  state text not null default 'active' check (state in ('active', 'refused')),
  waits_until timestamptz,
  due_at timestamptz,
  claim_id text,
  lease_until timestamptz
);
create index status_reporting_due on status_reporting (due_at) where due_at is not null;
create index status_reporting_by_project on status_reporting (project_id);

-- `subject` is the deployment, or the provider's name for one that was not recorded. For one commit and context, only
-- the newest deployment counts, by `deployed_at` and `recorded_at`. A `comment` is posted on the pull request: `report`
-- is its text until it was sent, `comment_id` the provider's id.
create table statuses (
  id text primary key,
  hook_id text not null references hooks (id) on delete cascade,
  project_id text not null references projects (id),
  subject text not null,
  deployment_id text,
  deployed_at timestamptz not null,
  recorded_at timestamptz not null,
  commit text not null,
  context text not null,
  state text not null check (state in ('pending', 'success', 'failure', 'error', 'comment')),
  description text not null,
  report text,
  pull_request bigint,
  comment_id text,
  sent text not null check (sent in ('pending', 'sent', 'dead', 'superseded')),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  error text,
  ended_at timestamptz
);
create unique index statuses_by_subject on statuses (hook_id, subject, state);
create index statuses_by_hook on statuses (hook_id, created_at desc, id desc);
create index statuses_by_commit on statuses (hook_id, commit, context);
create index statuses_by_pull_request on statuses (hook_id, pull_request, context) where comment_id is not null;
create index statuses_waiting on statuses (hook_id, due_at) where sent = 'pending';
create index statuses_by_deployment on statuses (deployment_id) where deployment_id is not null;
create index statuses_ended on statuses (ended_at) where ended_at is not null;
create index statuses_by_project on statuses (project_id);
