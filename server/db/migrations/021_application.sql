-- serves programs from schema 3 on

-- A deleted project has no owner until its last rows are gone. First, as transactions of programs lock a project before
-- they read accounts.
alter table projects alter column owner_id drop not null;

-- A deleted account has no address until its last rows are gone. `password_hash`: argon2id in its own notation.
alter table accounts
  alter column email drop not null,
  add column password_hash text,
  add column language text check (language in ('fr', 'en')),
  add column time_zone text;

-- Who is signed in. `confirmed_at`: when the person last proved who they are.
create table sessions (
  id text primary key,
  account_id text not null references accounts (id),
  fingerprint bytea not null unique check (length(fingerprint) = 32),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  browser text not null,
  address text not null
);
create index sessions_by_account on sessions (account_id, created_at);
create index sessions_by_use on sessions (last_used_at);
create index sessions_by_beginning on sessions (created_at);

-- As `use_token`: reads share connections, so that none of them may wait for a row.
create function use_session(session_id text) returns boolean language plpgsql as $$
begin
  perform from sessions
  where id = session_id and last_used_at < date_trunc('minute', now())
  for no key update skip locked;
  if found then
    update sessions set last_used_at = now() where id = session_id;
  end if;
  return exists (select from sessions where id = session_id);
end
$$;

-- Links that are sent by e-mail or printed, each good once; a newer one takes the place of an older one. One that makes
-- an account has its address, or, for the first account, none. `session_id`: where a change of address was asked for.
create table links (
  fingerprint bytea primary key check (length(fingerprint) = 32),
  kind text not null check (kind in ('password', 'first_account', 'sign_up', 'email', 'sign_in')),
  account_id text references accounts (id),
  email text check (email = lower(email)),
  session_id text,
  expires_at timestamptz not null
);
create unique index links_newest on links (kind, coalesce(account_id, email, ''));
create index links_by_account on links (account_id);
create index links_by_expiry on links (expires_at);

create table passkeys (
  id text primary key,
  account_id text not null references accounts (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);

-- Token buckets. `key` is a hash of what is bounded and for whom; when a bucket is full again says all that there is to
-- know of it, and its row may go.
create table buckets (
  key bytea primary key check (length(key) = 32),
  full_at timestamptz not null
);
create index buckets_by_full on buckets (full_at);

-- Invitations of e-mail addresses, with or without an account, that were not answered yet. `invited_by` is null for the
-- operator's.
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

-- Projects that were offered to a member, who has not answered yet. An offer ends with the membership.
create table hand_overs (
  project_id text primary key references projects (id),
  account_id text not null,
  offered_at timestamptz not null default now(),
  foreign key (account_id, project_id) references memberships on delete cascade
);
create index hand_overs_by_account on hand_overs (account_id);

-- Who did what to an account or a project. Ids stay when what they name is gone.
create table events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  account_id text,
  project_id text,
  actor text not null,
  actor_id text,
  session_id text,
  browser text,
  address text,
  details jsonb not null default '{}'
);
create index events_of_account on events (account_id, id);
create index events_of_project on events (project_id, id);
create index events_by_age on events (at);
create index events_by_actor on events (actor_id, id);

-- What was typed into a form whose session had ended, until its page shows it again.
create table drafts (
  id text primary key,
  account_id text not null references accounts (id),
  action text not null,
  fields jsonb not null,
  expires_at timestamptz not null
);
create index drafts_by_expiry on drafts (expires_at);
