-- Where the host of a project's deployments reports them. Secrets are encrypted; the old one is valid until its time. Without
-- one everything is refused: before its owner has typed the provider's, and after a hand-over until the new owner chooses one.
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

-- What was last sent to a hook, and what came of it. `event_key` tells two events apart; it is null if the delivery was
-- refused.
create table hook_deliveries (
  id text primary key,
  hook_id text not null references hooks (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  outcome text not null,
  event_key text
);
create index hook_deliveries_by_hook on hook_deliveries (hook_id, at desc, id desc);

-- Where a hook reports the statuses of commits: its id is the hook's. `secret` is a token, or the key of the app that `app_id` and
-- `installation_id` name, encrypted. `comments`: the report of a deployment is a comment on its pull request too.
-- What waits is sent in turn by one server at a time, not before `waits_until`, which is what a provider asked for.
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

-- What the repository of a hook is told of a commit. `subject` is the deployment, or what the provider calls one that was not
-- recorded: each of its states is there once. Of one commit and context the newest deployment counts, by `deployed_at` and
-- `recorded_at`. A `comment` is the report on the commit's pull request, which is known once it was sent; `report` is its text until
-- then, `comment_id` the provider's.
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
