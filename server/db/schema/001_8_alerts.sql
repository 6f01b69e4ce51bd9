-- The row stays when its alerts are removed, so that nobody who unsubscribed gets e-mail again. The address is
-- stored only as a keyed hash. `id` is the secret part of the links to accept and unsubscribe; a member who leaves gets a
-- new one.
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

-- `target` is encrypted. `host` is the part that is shown, unless `shown` has more. `due_at` is when its first message
-- is due; one server at a time sends its messages, in order. `remind_at` is when the next reminder may be due; reminders
-- up to `reminded_at` are done. `is_secret_former`: a former owner of the project knows the secret. Only e-mail has a
-- recipient. An alert that an owner added, not the operator, stops when the project is transferred.
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

-- Messages to targets, each written in the transaction of its cause; the content never changes.
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
