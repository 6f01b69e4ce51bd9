-- A deleted account has no e-mail address until its last rows are removed. `password_hash` is argon2id. `notices_seen`
-- is the last event that it dismissed. `thread_ended_*` are the last two times when one of its checks ended its thread.
-- `number` is its key in `looks`.
create table accounts (
  id text primary key,
  number bigint generated always as identity,
  email text unique check (email = lower(email)),
  plan text not null check (plan in ('free', 'pro', 'team')),
  checks_a_month integer check (checks_a_month >= 0),
  password_hash text,
  language text check (language in ('fr', 'en')),
  time_zone text,
  network_key bytea not null default sha256(gen_random_uuid()::text::bytea),
  notices_seen bigint not null default 0,
  thread_ended_at timestamptz,
  thread_ended_before_at timestamptz,
  created_at timestamptz not null default now()
);
create index accounts_deleted on accounts (id) where email is null;

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
create index tokens_active on tokens (account_id, created_at) where revoked_at is null;
create index tokens_revoked on tokens (account_id, revoked_at, id) where revoked_at is not null;

-- A new proof of identity (`confirmed_at`) changes the secret. Requests under way still send the old one.
create table sessions (
  id text primary key,
  account_id text not null references accounts (id),
  fingerprint bytea not null unique check (length(fingerprint) = 32),
  former_fingerprint bytea unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  browser text not null,
  address text not null
);
create index sessions_by_account on sessions (account_id, created_at);
create index sessions_by_use on sessions (last_used_at);
create index sessions_by_beginning on sessions (created_at);

-- The networks from which an account signed in within 90 days, as hashes under its `network_key`.
create table networks (
  account_id text not null references accounts (id),
  fingerprint bytea not null check (length(fingerprint) = 32),
  seen_at timestamptz not null default now()
);
create index networks_by_account on networks (account_id, fingerprint);
create index networks_by_age on networks (seen_at);

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

-- Answered challenges, until they expire: each counts once, over all servers.
create table used_challenges (
  challenge text primary key,
  expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);

-- `secret` (TOTP) is sealed. `last_step` is the last step of 30 seconds whose code was used.
create table second_factors (
  account_id text primary key references accounts (id),
  secret bytea not null,
  last_step bigint not null
);

-- The fingerprint is the SHA-256 of 120 random bits.
create table recovery_codes (
  fingerprint bytea primary key check (length(fingerprint) = 32),
  account_id text not null references accounts (id)
);
create index recovery_codes_by_account on recovery_codes (account_id);

-- Each link can be used once, and a newer one replaces an older one of its kind. The link for the first account has no
-- address. `session_id` is the session that requested a change of address.
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

-- Ids stay after their rows are gone. `is_untold` is true until the notice about the event was sent by e-mail.
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
  details jsonb not null default '{}',
  is_untold boolean not null default false
);
create index events_of_account on events (account_id, id);
create index events_of_project on events (project_id, id);
create index events_by_actor on events (actor_id, id);
create index events_by_age on events (at);
create index events_untold on events (id) where is_untold;

-- Token buckets. `key` is a hash of the limit's name and the subject. The row of a full bucket can be deleted.
create table buckets (
  key bytea primary key check (length(key) = 32),
  full_at timestamptz not null
);
create index buckets_by_full on buckets (full_at);

-- Returns whether the token is active. Callers skip it within the stored minute: an update in every authenticated query
-- cost a third of its time. Reads share connections, so the function never waits for a locked row.
create function use_token(token_id text) returns boolean language plpgsql as $$
begin
  perform from tokens
  where id = token_id and revoked_at is null
    and (last_used_at is null or last_used_at < date_trunc('minute', now()))
  for no key update skip locked;
  if found then
    update tokens set last_used_at = now() where id = token_id;
  end if;
  return exists (select from tokens where id = token_id and revoked_at is null);
end
$$;

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
