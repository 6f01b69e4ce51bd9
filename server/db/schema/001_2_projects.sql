-- A deleted project has no owner until its last rows are removed. `badge_id` is null while the badge is off,
-- `interval_seconds` for the server's default. `failures` is how many failed probes in a row open an incident. `gate`
-- includes the accepted findings. `preview_headers` are encrypted.
create table projects (
  id text primary key,
  owner_id text references accounts (id),
  name text not null,
  url text not null,
  state text not null default 'unknown' check (state in ('up', 'degraded', 'down', 'unknown')),
  state_since timestamptz,
  badge_id text,
  interval_seconds smallint,
  failures smallint not null default 2,
  one_location boolean not null default false,
  gate jsonb,
  preview_hosts jsonb not null default '[]',
  preview_headers bytea,
  preview_header_names jsonb not null default '[]',
  created_at timestamptz not null default now()
);
create index projects_by_owner on projects (owner_id, name);
create index projects_by_name on projects (name, id);
create index projects_deleted on projects (id) where owner_id is null;
-- Partial, so that changing a badge takes no lock that slots or deployments of the project would wait for.
create unique index projects_by_badge on projects (badge_id) where badge_id is not null;

-- Public status pages, while they are on. Without a title, the name is shown.
create table status_pages (
  project_id text primary key references projects (id),
  name text not null unique check (name ~ '^[a-z0-9-]{3,40}$'),
  title text check (length(title) between 1 and 100),
  shows_addresses boolean not null,
  shows_score boolean not null,
  is_indexed boolean not null
);

create table memberships (
  project_id text not null references projects (id),
  account_id text not null references accounts (id),
  accepted_at timestamptz not null default now(),
  primary key (account_id, project_id)
);
create index memberships_by_project on memberships (project_id);

-- The address may have no account. `invited_by` is null for the operator's invitations.
create table invitations (
  project_id text not null references projects (id),
  email text not null check (email = lower(email)),
  invited_by text references accounts (id) on delete set null,
  invited_at timestamptz not null default now(),
  primary key (email, project_id)
);
create index invitations_by_project on invitations (project_id, invited_at);
create index invitations_by_inviter on invitations (invited_by);
create index invitations_by_age on invitations (invited_at);

create table hand_overs (
  project_id text primary key references projects (id),
  account_id text not null,
  offered_at timestamptz not null default now(),
  foreign key (account_id, project_id) references memberships on delete cascade
);
create index hand_overs_by_account on hand_overs (account_id);
