create table accounts (
  id text primary key,
  email text not null check (email = lower(email)),
  plan text not null check (plan in ('free', 'pro', 'team')),
  created_at timestamptz not null default now(),
  unique (email)
);

create table tokens (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  fingerprint bytea not null unique check (length(fingerprint) = 32),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index tokens_by_account on tokens (account_id, created_at);

-- One row holds the count of an account's month: taking a slot costs the same however many checks there were.
create table usage (
  account_id text not null references accounts (id),
  month date not null,
  used integer not null check (used >= 0),
  primary key (account_id, month)
);

-- A check asked for by an account holds a slot of `month`; a deployment's has neither account nor month.
create table checks (
  id text primary key,
  account_id text references accounts (id),
  month date,
  host text not null,
  state text not null check (state in ('running', 'done', 'given_back')),
  started_at timestamptz not null default now(),
  admitted_at timestamptz,
  lease_until timestamptz not null,
  idempotency_key text,
  request_hash bytea,
  score integer,
  verdict text,
  ruleset text,
  answer text,
  evidence bytea,
  check ((account_id is null) = (month is null))
);
create index checks_running on checks (lease_until) where state = 'running';
create index checks_by_host on checks (host, admitted_at);
create index checks_by_age on checks (started_at);
-- Two requests with one key: the second insert fails here, and waits for the first or replays it.
create unique index checks_idempotency on checks (account_id, idempotency_key)
  where idempotency_key is not null and state <> 'given_back';

-- Its row is the lock under which a host's checks are counted and one more is let in.
create table hosts (
  host text primary key
);

create table projects (
  id text primary key,
  owner_id text not null references accounts (id),
  name text not null,
  url text not null,
  state text not null default 'unknown' check (state in ('up', 'degraded', 'down', 'unknown')),
  state_since timestamptz,
  created_at timestamptz not null default now()
);
create index projects_by_owner on projects (owner_id, name);

create table memberships (
  project_id text not null references projects (id),
  account_id text not null references accounts (id),
  invited_at timestamptz not null default now(),
  accepted_at timestamptz,
  primary key (account_id, project_id)
);
create index memberships_by_project on memberships (project_id);

-- What the recurring cycle looks at. `streak` counts the last looks in a row that ended like `last_outcome`.
create table watched_urls (
  id text primary key,
  project_id text not null references projects (id),
  url text not null,
  is_address boolean not null default false,
  last_outcome text check (last_outcome in ('good', 'failed')),
  streak integer not null default 0,
  failing_since timestamptz,
  last_checked_at timestamptz,
  score integer,
  look_id text,
  look_started_at timestamptz,
  next_look_at timestamptz not null default now(),
  lease_until timestamptz,
  unique (project_id, url)
);
create index watched_urls_due on watched_urls (next_look_at);
create unique index watched_urls_address on watched_urls (project_id) where is_address;

create table incidents (
  id text primary key,
  watched_url_id text not null,
  project_id text not null references projects (id),
  url text not null,
  since timestamptz not null,
  reason jsonb not null,
  last_checked_at timestamptz not null,
  closed_at timestamptz
);
create unique index incidents_open on incidents (watched_url_id) where closed_at is null;
create index incidents_open_by_project on incidents (project_id, since) where closed_at is null;

create table deployments (
  id text primary key,
  project_id text not null references projects (id),
  url text not null,
  environment text not null,
  commit text,
  ref text,
  deployed_at timestamptz not null default now(),
  check_id text references checks (id),
  lease_until timestamptz
);
create index deployments_latest on deployments (project_id, deployed_at desc, id desc) where environment = 'production';
create index deployments_queued on deployments (deployed_at) where check_id is null;
