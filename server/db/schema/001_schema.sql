-- Accounts and how people sign in.

-- A deleted account has no e-mail address until its last rows are gone. `password_hash` is argon2id in its own notation.
-- `network_key` is what the networks that it signed in from are hashed with, `notices_seen` the last event that it
-- dismissed. `thread_ended_*` are the last two times that a check of the account ended the thread that it ran in. `number`
-- is the account in `looks`.
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

-- Who is signed in. `confirmed_at` is when the person last proved who they are, in which the session got a new secret:
-- `former_fingerprint` is that of the one before, which requests under way still name.
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

-- Where an account signed in from within 90 days: hashes of networks under its `network_key`.
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

-- The secret, sealed, that an account's app makes codes of (TOTP), and the newest 30 seconds whose code was used.
create table second_factors (
  account_id text primary key references accounts (id),
  secret bytea not null,
  last_step bigint not null
);

-- What stands in for the app, once each: the SHA-256 of 120 random bits.
create table recovery_codes (
  fingerprint bytea primary key check (length(fingerprint) = 32),
  account_id text not null references accounts (id)
);
create index recovery_codes_by_account on recovery_codes (account_id);

-- Links that are sent by e-mail or printed. Each works once, and a newer one replaces an older one of its kind. A link
-- that makes an account has its address; the link for the first account has none. `session_id` is the session that asked
-- for a change of address.
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

-- Token buckets. `key` is a hash of what is limited and for whom. The time when a bucket is full again describes it
-- completely, and from then on its row can be deleted.
create table buckets (
  key bytea primary key check (length(key) = 32),
  full_at timestamptz not null
);
create index buckets_by_full on buckets (full_at);

-- Projects and their people.

-- A deleted project has no owner until its last rows are gone. `badge_id` is null while the badge is switched off.
-- `interval_seconds` is null for the server's own; `failures` is how many failed looks in a row open an incident. `gate` is
-- what a deployment must meet, with the findings that are accepted; null without both. `preview_hosts` are the patterns of hosts
-- whose previews are checked, with the headers, encrypted, that these are sent; `preview_header_names` are what is shown of them.
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
  one_place boolean not null default false,
  gate jsonb,
  preview_hosts jsonb not null default '[]',
  preview_headers bytea,
  preview_header_names jsonb not null default '[]',
  created_at timestamptz not null default now()
);
create index projects_by_owner on projects (owner_id, name);
create index projects_by_name on projects (name, id);
create index projects_deleted on projects (id) where owner_id is null;
-- The index is partial so that switching a badge takes no lock that slots or deployments of the project would wait for.
create unique index projects_by_badge on projects (badge_id) where badge_id is not null;

-- The pages at which anybody sees how a project is, while they are switched on. Without a title the name is shown.
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

-- Invitations, not answered yet, of e-mail addresses with or without an account. `invited_by` is null for the operator's.
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

-- Who did what to an account or a project. Ids stay when what they name is gone. `is_untold` is true until the account
-- was told by e-mail of what may harm it.
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

-- Checks and what limits them.

-- One row holds the count of an account's month: taking a slot costs the same however many checks there were.
create table usage (
  account_id text not null references accounts (id),
  month date not null,
  used integer not null check (used >= 0),
  primary key (account_id, month)
);

-- Its row is the lock under which a host's checks are counted and one more is admitted.
create table hosts (
  host text primary key
);

-- Only a check of kind `api` has an account, and holds a slot of `month`. `masked_url` is the address as the check's
-- answer shows it. `first_byte_ms` is null if no first byte came. `findings` says how each finding ended and what it
-- earned, by its id.
create table checks (
  id text primary key,
  kind text not null check (kind in ('api', 'deployment', 'cycle', 'scan')),
  account_id text references accounts (id),
  month date,
  project_id text references projects (id),
  host text not null,
  state text not null check (state in ('running', 'done', 'given_back')),
  step text,
  started_at timestamptz not null default now(),
  admitted_at timestamptz,
  lease_until timestamptz not null,
  idempotency_key text,
  request_hash bytea,
  masked_url text,
  score integer,
  verdict text,
  ruleset text,
  first_byte_ms integer,
  answer text,
  findings jsonb,
  evidence bytea,
  check ((account_id is null) = (month is null))
);
create index checks_running on checks (lease_until) where state = 'running';
create index checks_by_host on checks (host, admitted_at);
create index checks_of_account on checks (account_id, started_at, id) where kind = 'api';
create index checks_by_project on checks (project_id) where project_id is not null;
-- If two requests have one key, the second insert fails here; the request then waits for the first or replays it.
create unique index checks_idempotency on checks (account_id, idempotency_key)
  where idempotency_key is not null and state <> 'given_back';
-- What retention deletes and empties: a pass reads what is due and nothing else. The checks that deployments came to are
-- kept longer than others, so they have an index of their own.
create index checks_by_kind_and_age on checks (kind, started_at) where kind <> 'deployment' or state = 'given_back';
create index checks_of_deployments_by_age on checks (started_at) where kind = 'deployment' and state = 'done';
create index checks_with_answer_by_kind on checks (kind, started_at) where answer is not null;

-- What the recurring cycle watches.

-- `number` is the key of the rows that belong to a watched URL and are written often. `scored_at` is when `score` was
-- seen. No look is due (`infinity`) while the URL is paused. The newest check is deleted with the URL, once that cannot be
-- put back any more, unless it is that of a deployment. `fails_from` is the place from which alone it fails.
-- `status_label` is what the project's status page calls the URL; null where it does not show it. `domain` is the registrable domain
-- of its host; null: the host.
create table watched_urls (
  id text primary key,
  number bigint generated always as identity,
  project_id text not null references projects (id),
  url text not null,
  domain text,
  is_address boolean not null default false,
  paused_at timestamptz,
  score integer,
  scored_at timestamptz,
  newest_check_id text,
  fails_from text,
  status_label text check (length(status_label) between 1 and 60),
  unique (project_id, url)
);
create unique index watched_urls_by_number on watched_urls (number);
create index watched_urls_on_status_page on watched_urls (project_id) where status_label is not null;
create unique index watched_urls_address on watched_urls (project_id) where is_address;

-- What each look at a watched URL changes, apart from what it does not, so that a look writes narrow rows; each page has
-- room for newer versions of its rows. `account` is the number of the project's owner. `domain` has its pace (`domain` of
-- `watched_urls`). `silences` counts the last looks in a row that got no answer; after two the URL is silent.
-- `streak` counts the last conclusive looks in a row that ended like `last_outcome`; `failed_from` has their places if they failed.
-- `look_from` is the place where the next look is made, `not_from` one where it is not. `interval_seconds` is that
-- of the project, so that a look need not ask for it. `looks` and the counts beside it belong to `hour`, the hour that runs; `first_byte_*` (milliseconds)
-- count its good looks alone.
create table looks (
  number bigint primary key,
  account bigint not null,
  domain text not null,
  is_silent boolean not null default false,
  due_at timestamptz not null,
  claim_id uuid,
  lease_until timestamptz,
  looked_at timestamptz,
  first_looked_at timestamptz,
  verified_at timestamptz,
  failing_since timestamptz,
  last_outcome text check (last_outcome in ('good', 'failed')),
  streak integer not null default 0,
  failed_from text[],
  look_from text,
  not_from text,
  interval_seconds smallint,
  silences smallint not null default 0,
  hour timestamptz,
  first_byte_sum integer not null default 0,
  first_byte_max integer not null default 0,
  looks smallint not null default 0,
  failed smallint not null default 0,
  inconclusive smallint not null default 0
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.5
);
create index looks_due on looks (is_silent, account, due_at);

-- How the looks at a URL went, hour by hour; the hour that runs is still in `looks`. `first_byte_*` (milliseconds) count
-- good looks alone. Most of what history costs is here, so a row is 52 bytes, and the key begins with the hour: new rows
-- are written side by side, and old ones are found by it.
create table hours (
  hour timestamptz not null,
  number integer not null,
  first_byte_sum integer not null,
  first_byte_max smallint not null,
  looks smallint not null,
  failed smallint not null,
  inconclusive smallint not null,
  primary key (hour, number)
);

-- The sums of `hours` by day (UTC), which history reads. An hour is added to its day when it is written. `good` counts the
-- looks that neither failed nor were inconclusive; a row changes 24 times, for which each page has room.
create table days (
  day timestamptz not null,
  number integer not null,
  looks integer not null,
  good integer not null,
  first_byte_sum integer not null,
  primary key (day, number)
) with (fillfactor = 70);

-- Every verification of a watched URL (`number`) and of a deployment, kept for ever. `changed` lists the findings that
-- differ from the verification before it; null if none does. `previous_score` is that of the deployment before.
create table scores (
  number bigint,
  at timestamptz not null default now(),
  score smallint not null,
  previous_score smallint,
  project_id text not null references projects (id),
  verdict text not null,
  ruleset text not null,
  deployment_id text,
  changed text[]
);
create index scores_by_url on scores (number, at) where number is not null;
create index scores_by_project on scores (project_id);
create unique index scores_by_deployment on scores (deployment_id) where deployment_id is not null;

-- `deployment_id` is the production deployment within the hour before the incident, if there was one. `opened_by` and
-- `closed_by` are what the looks saw that opened and closed it, in brief. `places` are those from which the URL fails, sorted;
-- null if no server named its place. An acknowledged incident is told without reminders; until `silenced_until` only its closing is
-- told, to whom the opening was sent. `acknowledged_by` is the id of an account, or `operator`; `note` is for the project's people,
-- `public_note` for everybody.
create table incidents (
  id text primary key,
  watched_url_id text not null,
  project_id text not null references projects (id),
  url text not null,
  since timestamptz not null,
  reason jsonb not null,
  last_checked_at timestamptz not null,
  closed_at timestamptz,
  deployment_id text,
  opened_by jsonb,
  closed_by jsonb,
  places text[],
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  public_note text,
  published_at timestamptz,
  silenced_until timestamptz
);
create unique index incidents_open on incidents (watched_url_id) where closed_at is null;
create index incidents_open_by_project on incidents (project_id, since) where closed_at is null;
create index incidents_by_project on incidents (project_id, closed_at desc, id desc);
create index incidents_by_url on incidents (watched_url_id, (coalesce(closed_at, 'infinity')));

-- When failing is no incident, and uptime does not count. `starts_at` and `ends_at` are the running or next time, or the last of
-- what `is_over`. A weekly one, `{day, from, to}` in `zone`, moves on when its time ends; `past` has its times before, for as long
-- as hours are kept. `urls` is null for all URLs of the project.
create table maintenance (
  id text primary key,
  project_id text not null references projects (id),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  past tstzmultirange not null default '{}',
  weekly jsonb,
  zone text,
  urls jsonb,
  note text,
  is_over boolean not null default false,
  created_at timestamptz not null default now()
);
create index maintenance_by_project on maintenance (project_id, ends_at);
create index maintenance_by_end on maintenance (is_over, ends_at);

-- The servers that run. Each writes its row every 10 s, and removes it when it shuts down. `place` is where it stands; one
-- that is `set_aside` does not judge what fails, since most of that is good elsewhere.
create table servers (
  id text primary key,
  version text not null,
  place text,
  set_aside boolean not null default false,
  looks_per_second double precision not null,
  lag_seconds double precision not null,
  last_seen_at timestamptz not null default now()
);

-- Deployments and the hooks that report them.

-- A ship is a deployment to production. A `preview` is a deployment to another environment, and is kept for 30 days.
-- `deployed_at` is the provider's time where it names one; `recorded_at` is when the server was told. `provider_id` is
-- the provider's id of the deployment, `commit_url` and `ref_url` are https addresses that it gave, and `event_key` marks a repeated event. Each claim has an id of its own, which is
-- that of the check that it makes. The last try leaves no `try_at`. `begun_at` is when the first verification began; a page may be missing for a while after it.
-- `check_id` says that it was verified, and is no foreign key: the check of an old deployment goes, and its row in `scores`
-- stays.
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

-- How what a hook reports is answered: its id is the hook's. `secret` is a token, or the key of the app that `app_id` and
-- `installation_id` name, encrypted. `comments`: the report of a deployment is a comment on its pull request too. What waits is sent in turn by one server at a time, not before `waits_until`, which is what a
-- provider asked for.
create table answers (
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
create index answers_due on answers (due_at) where due_at is not null;
create index answers_by_project on answers (project_id);

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

-- Alerts.

-- Who may be sent a project's alerts by e-mail. A keyed hash stands for the address, and stays when its alerts are removed:
-- whoever wants none gets none. `id` is the secret part of the addresses at which a reader accepts and ends them; a member
-- who leaves gets a new one.
create table recipients (
  id text primary key,
  project_id text not null references projects (id),
  address_hash bytea not null check (length(address_hash) = 32),
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'ended')),
  asked_at timestamptz,
  created_at timestamptz not null default now(),
  unique (project_id, address_hash)
);
create index recipients_waiting on recipients (created_at) where state = 'waiting';

-- Whom a project tells of what happens to it. `target` is the URL or the e-mail address, encrypted; `host` is the part
-- that is listed, where `shown` has no more. `due_at` is when the first of its messages is due; one server at a time sends them, one after another.
-- Incidents are told `after_minutes` after they began, if they last, and again every `remind_hours`: `remind_at` is when the next
-- reminder may be due, `reminded_at` until when none is due any more.
-- `is_secret_former`: a former owner of the project knows the secret. Only e-mail has a recipient. What an owner added, and not
-- the operator, stops when the project is handed over.
create table alerts (
  id text primary key,
  project_id text not null references projects (id),
  kind text not null check (kind in ('webhook', 'slack', 'discord', 'email')),
  target bytea not null,
  host text not null,
  shown text,
  label text not null default '' check (length(label) <= 60),
  secret bytea,
  old_secret bytea,
  old_secret_until timestamptz,
  is_secret_former boolean not null default false,
  language text not null default 'fr' check (language in ('fr', 'en')),
  tells_incidents boolean not null,
  tells_ships boolean not null,
  tells_drops boolean not null,
  after_minutes smallint,
  remind_hours smallint,
  remind_at timestamptz,
  reminded_at timestamptz,
  recipient_id text references recipients (id) on update cascade,
  is_operators boolean not null default false,
  state text not null default 'active' check (state in ('active', 'waiting', 'paused', 'handed_over', 'ended')),
  failing_since timestamptz,
  hour_began timestamptz,
  due_at timestamptz,
  claim_id text,
  lease_until timestamptz,
  created_at timestamptz not null default now()
);
create index alerts_by_project on alerts (project_id, created_at, id);
create index alerts_by_recipient on alerts (recipient_id);
create index alerts_due on alerts (due_at) where due_at is not null;
create index alerts_to_remind on alerts (remind_at) where remind_at is not null;

-- What one target is to be told, written in the transaction that made it true; its content never changes.
create table messages (
  id text primary key,
  alert_id text not null references alerts (id) on delete cascade,
  project_id text not null references projects (id),
  type text not null check (type in ('incident.opened', 'incident.reminder', 'incident.closed', 'ship.scored', 'summary', 'test')),
  incident_id text,
  data jsonb not null,
  created_at timestamptz not null default now(),
  state text not null default 'pending' check (state in ('pending', 'sent', 'dead')),
  due_at timestamptz not null default now(),
  tried_at timestamptz,
  attempts integer not null default 0,
  error text,
  ended_at timestamptz
);
create index messages_waiting on messages (alert_id, due_at) where state = 'pending';
create index messages_by_alert on messages (alert_id, created_at desc, id desc);
create index messages_tried on messages (alert_id, tried_at);
create index messages_ended on messages (ended_at) where ended_at is not null;
create index messages_by_project on messages (project_id);
create index messages_by_incident on messages (incident_id) where incident_id is not null;
create index messages_by_state on messages (state);

-- The public scan.

-- The lock under which scans are started and claimed, so that their bounds hold over all servers. Only the functions
-- below take it, and only while they run; `scans` and `checks` are locked after it.
create table scan_gate (
  is_only_row boolean primary key default true check (is_only_row)
);
insert into scan_gate default values;

-- Scans that anyone asked for. `url` is masked; the exact one is kept until the scan has ended, then only its hash. The
-- check that a scan makes has the id of the scan's present claim.
create table scans (
  id text primary key,
  url text not null,
  url_hash bytea not null,
  exact_url text,
  host text not null,
  visitor text,
  delete_key_hash bytea not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  step text,
  started_at timestamptz not null,
  tries integer not null default 0,
  check_id text,
  lease_until timestamptz,
  answer_fr text,
  answer_en text,
  failure jsonb,
  check ((exact_url is not null and visitor is not null) = (state in ('waiting', 'running')))
);
create index scans_by_url on scans (url_hash, started_at);
create index scans_waiting on scans (started_at, id) where state = 'waiting';
create index scans_running on scans (lease_until) where state = 'running';
create index scans_of_visitor on scans (visitor) where visitor is not null;
create index scans_by_age on scans (started_at);

-- What the bounds per hour and day are counted from. A row stays for a day even if its scan is deleted.
create table scan_starts (
  id bigint generated always as identity primary key,
  visitor text not null,
  host text not null,
  started_at timestamptz not null
);
create index scan_starts_of_visitor on scan_starts (visitor, started_at);
create index scan_starts_of_host on scan_starts (host, started_at);
create index scan_starts_by_age on scan_starts (started_at);

-- What a day's (UTC) visitors are hashed with, and what their challenges are signed with.
create table salts (
  day date primary key,
  salt bytea not null
);

-- The challenges that were met, until they expire: each counts once, over all servers.
create table used_challenges (
  challenge text primary key,
  expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);

-- Whether the robots.txt of an origin refuses public scans.
create table robots_answers (
  origin text primary key,
  refuses boolean not null,
  expires_at timestamptz not null
);
create index robots_answers_by_expiry on robots_answers (expires_at);

-- Functions of tokens and sessions.

-- Notes that an active token is used, and says whether it still is active. A query calls it once the stored minute is
-- over: an update inside every authenticated query cost those queries a third of their time. Reads share connections, so
-- that none of them may wait for a row: a token that is being written to at that moment is not noted as used again.
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

-- Does for a session what `use_token` does for a token.
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

-- Functions of slots and admission. Whoever takes or gives back slots locks their rows of `usage` first, in the order of
-- accounts and months, and rows of `checks` after them, so that none waits for another in a circle. These are functions
-- because each of their statements sees what was committed before it began; one statement alone sees, after waiting for
-- a lock, only the locked row anew.

-- Starts a check's lease with one slot of the account's month, unless its idempotency key is `repeated` within `key_time`
-- or the month's slots are `exhausted`. `slots` and `quota` are the count and the limit, the account's own or of its plan,
-- by which that was decided.
create function take_slot(
  check_id text, check_account text, check_host text, check_key text, check_hash bytea, limits jsonb,
  key_time interval, lease interval,
  out outcome text, out slots integer, out quota integer, out asked_at timestamptz
) language plpgsql as $$
declare
  this_month date := date_trunc('month', now() at time zone 'utc')::date;
begin
  asked_at := now();
  insert into usage (account_id, month, used) values (check_account, this_month, 0) on conflict do nothing;
  select used into slots from usage where account_id = check_account and month = this_month for update;
  select coalesce(checks_a_month, (limits ->> plan)::integer) into quota from accounts where id = check_account;

  if check_key is not null then
    update checks set idempotency_key = null
    where account_id = check_account and idempotency_key = check_key and state <> 'given_back'
      and started_at <= now() - key_time;
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
  values (check_id, 'api', check_account, this_month, check_host, 'running', now() + lease, check_key, check_hash)
  on conflict (account_id, idempotency_key) where idempotency_key is not null and state <> 'given_back' do nothing;
  if not found then
    outcome := 'repeated';
    return;
  end if;
  update usage set used = used + 1 where account_id = check_account and month = this_month returning used into slots;
  outcome := 'taken';
end
$$;

-- Ends checks without a result: the slots of an account's checks return to the months that they came from, and their
-- idempotency keys are free. A check that was never admitted leaves no row, unless somebody follows it by its steps; the
-- others still count for their host. With
-- `only_expired` those end whose lease is over; without, also an account's check that is done and has no key by which its
-- answer could still be had, since its client was told that it failed.
create function give_slots_back(ids text[], only_expired boolean) returns void language plpgsql as $$
begin
  perform from usage
  where (account_id, month) in (select account_id, month from checks where id = any (ids) and kind = 'api')
  order by account_id, month for update;

  with ending as (
    select id, kind, account_id, month, coalesce(admitted_at::text, step) as kept_for from checks
    where id = any (ids) and case
      when only_expired then state = 'running' and lease_until < now()
      else state = 'running' or (state = 'done' and kind = 'api' and idempotency_key is null)
    end
    order by id for update
  ), removed as (
    delete from checks using ending where checks.id = ending.id and ending.kept_for is null
  ), kept as (
    update checks set state = 'given_back' from ending
    where checks.id = ending.id and ending.kept_for is not null
  )
  update usage set used = used - slots
  from (
    select account_id, month, count(*)::integer as slots from ending where kind = 'api' group by account_id, month
  ) as counted
  where usage.account_id = counted.account_id and usage.month = counted.month;
end
$$;

-- Admits those of a host's waiting checks for which its bounds have room, and begins their leases anew. `bounds` is
-- {"account": {"atOnce", "aMinute"}, "all": {"atOnce", "aMinute"}}. The next to be admitted is of the account with the
-- fewest checks there, and of its checks the first asked for. All scans of a host, like all deployments, take turns as if
-- one account had asked for them. Scans also have the bounds of one account, at most half of the host's places, so that
-- an account's checks of a host that many have scanned need not wait; deployments have only the bounds over all. It is
-- one statement to the program, so that the host's row is locked only while it runs, wherever a connection is cut.
create function admit_checks(asked_host text, asked_ids text[], bounds jsonb, lease interval)
returns setof text language plpgsql as $$
declare
  admission_time timestamptz;
  account_at_once integer := bounds #>> '{account,atOnce}';
  account_a_minute integer := bounds #>> '{account,aMinute}';
  all_at_once integer := bounds #>> '{all,atOnce}';
  all_a_minute integer := bounds #>> '{all,aMinute}';
begin
  -- A host that another server deletes meanwhile is not found, and inserted again.
  perform from hosts where host = asked_host for update;
  if not found then
    insert into hosts (host) values (asked_host) on conflict (host) do update set host = excluded.host;
  end if;
  -- Read after the lock: what was admitted before is counted, and was earlier.
  admission_time := clock_timestamp();
  return query
    with recent as (
      select kind, account_id, state = 'running' and lease_until > admission_time as is_running from checks
      where host = asked_host and admitted_at > admission_time - interval '1 minute'
    ), own as (
      select kind, account_id, count(*) as minute, count(*) filter (where is_running) as running from recent
      group by kind, account_id
    ), whole as (
      select count(*) as minute, count(*) filter (where is_running) as running from recent
    ), asking as (
      -- A check that is being given back is skipped: waiting for it could be waiting in a circle.
      select id, kind, account_id, place from unnest(asked_ids) with ordinality as asked (id, place) join checks using (id)
      where state = 'running' and admitted_at is null for update of checks skip locked
    ), counted as (
      select id, asking.kind, place, coalesce(minute, 0) as minute, coalesce(running, 0) as running,
        row_number() over (partition by asking.kind, asking.account_id order by place) as turn
      from asking
      left join own on own.kind = asking.kind and own.account_id is not distinct from asking.account_id
    ), in_turn as (
      select id, row_number() over (order by running + turn, place) as turn from counted
      where kind = 'deployment' or (running + turn <= account_at_once and minute + turn <= account_a_minute)
    )
    update checks set admitted_at = admission_time, lease_until = admission_time + lease
    from in_turn, whole
    where checks.id = in_turn.id
      and whole.running + in_turn.turn <= all_at_once and whole.minute + in_turn.turn <= all_a_minute
    returning checks.id;
end
$$;

-- Functions of scans.

-- Starts a scan, or says which one to look at instead (`reused`), or why not. `bounds` is {"visitorHour", "visitorDay",
-- "hostHour", "visitorAtOnce", "queue", "reuseSeconds", "againSeconds"}; `today` is the visitor's hash to keep,
-- `recent` those to look for.
create function start_scan(
  scan_id text, masked_url text, hash_of_url bytea, asked_url text, asked_host text, today text, recent text[],
  hash_of_key bytea, is_again boolean, bounds jsonb,
  out outcome text, out found_id text, out found_url text, out retry_seconds integer
) language plpgsql as $$
declare
  reuse_time interval := make_interval(secs => (bounds ->> 'reuseSeconds')::integer);
  again_time interval := make_interval(secs => (bounds ->> 'againSeconds')::integer);
  asked_at timestamptz;
  newest_at timestamptz;
  free_at timestamptz;
begin
  perform from scan_gate for update;
  -- Read after the lock: whoever had it before is counted, and was earlier.
  asked_at := clock_timestamp();

  select id, url, started_at into found_id, found_url, newest_at from scans
  where url_hash = hash_of_url and state <> 'failed' and started_at > asked_at - reuse_time
  order by started_at desc limit 1;
  if found_id is not null and not is_again then
    outcome := 'reused';
    return;
  end if;
  if newest_at > asked_at - again_time then
    outcome := 'too_soon';
    retry_seconds := ceil(extract(epoch from newest_at + again_time - asked_at));
    return;
  end if;

  select used.bound, used.free_at into outcome, free_at from (values
    ('visitor_hour', (
      select started_at + interval '1 hour' from scan_starts where visitor = any (recent)
      order by started_at desc offset (bounds ->> 'visitorHour')::integer - 1 limit 1
    )),
    ('visitor_day', (
      select started_at + interval '1 day' from scan_starts where visitor = any (recent)
      order by started_at desc offset (bounds ->> 'visitorDay')::integer - 1 limit 1
    )),
    ('host_hour', (
      select started_at + interval '1 hour' from scan_starts where host = asked_host
      order by started_at desc offset (bounds ->> 'hostHour')::integer - 1 limit 1
    ))
  ) as used (bound, free_at)
  where used.free_at > asked_at order by used.free_at desc limit 1;
  if outcome is not null then
    retry_seconds := ceil(extract(epoch from free_at - asked_at));
    return;
  end if;

  if (select count(*) from scans where visitor = any (recent)) >= (bounds ->> 'visitorAtOnce')::integer then
    outcome := 'visitor_at_once';
    return;
  end if;
  if (select count(*) from scans where state = 'waiting') >= (bounds ->> 'queue')::integer then
    outcome := 'queue_full';
    return;
  end if;

  insert into scans (id, url, url_hash, exact_url, host, visitor, delete_key_hash, state, started_at)
  values (scan_id, masked_url, hash_of_url, asked_url, asked_host, today, hash_of_key, 'waiting', asked_at);
  insert into scan_starts (visitor, host, started_at) values (today, asked_host, asked_at);
  outcome := 'started';
end
$$;

-- Claims the scan whose turn it is, if fewer than `at_once` are running. A scan whose process died is claimed again until
-- it has had `max_tries`; then it fails because it was `interrupted`.
create function claim_scan(
  new_check_id text, at_once integer, max_tries integer, interrupted jsonb, lease interval
) returns setof scans language plpgsql as $$
declare
  claimed_at timestamptz;
  next_id text;
  abandoned_id text;
begin
  perform from scans where state = 'waiting' or (state = 'running' and lease_until < now()) limit 1;
  if not found then
    return;
  end if;
  perform from scan_gate for update;
  claimed_at := clock_timestamp();

  update scans set state = 'failed', failure = interrupted, exact_url = null, visitor = null, step = null
  where state = 'running' and lease_until < claimed_at and tries >= max_tries;
  if (select count(*) from scans where state = 'running' and lease_until >= claimed_at) >= at_once then
    return;
  end if;
  select id, check_id into next_id, abandoned_id from scans
  where state = 'waiting' or (state = 'running' and lease_until < claimed_at)
  order by started_at, id limit 1 for update skip locked;
  delete from checks where id = abandoned_id and state <> 'done';
  return query
    update scans set state = 'running', step = 'vetting', check_id = new_check_id, tries = tries + 1,
      lease_until = claimed_at + lease
    where id = next_id
    returning *;
end
$$;

-- Functions of watched URLs.

-- The part of an interval after which a row is looked at in each interval: multiples of the golden ratio lie evenly,
-- however many there are.
create function phase_of(number bigint) returns float8 language sql immutable parallel safe as $$
  select number * 0.6180339887498949 - floor(number * 0.6180339887498949)
$$;

-- A watched URL is looked at at once; of many that are added together, those beyond the first 1,500 in five minutes.
create function add_looks() returns trigger language plpgsql as $$
begin
  insert into looks (number, account, domain, interval_seconds, due_at)
  select added.number, accounts.number, coalesce(domain, substring(added.url from '//([^/?#:]+)')), projects.interval_seconds,
    case when paused_at is not null then 'infinity' else now() + interval '5 minutes'
      * case when row_number() over (order by added.number) <= 1500 then 0 else phase_of(added.number) end end
  from added join projects on projects.id = project_id join accounts on accounts.id = owner_id;
  return null;
end
$$;
create trigger add_looks after insert on watched_urls
referencing new table as added for each statement execute function add_looks();

create function remove_looks() returns trigger language plpgsql as $$
begin
  delete from looks using removed where looks.number = removed.number;
  return null;
end
$$;
create trigger remove_looks after delete on watched_urls
referencing old table as removed for each statement execute function remove_looks();

create function delete_newest_checks() returns trigger language plpgsql as $$
begin
  delete from checks using gone
  where checks.id = gone.newest_check_id and kind = 'cycle';
  return null;
end
$$;
create trigger watched_urls_gone after delete on watched_urls
referencing old table as gone for each statement execute function delete_newest_checks();
