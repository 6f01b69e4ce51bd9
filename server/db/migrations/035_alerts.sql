-- serves programs from schema 3 on

-- Whom a project tells of what happens to it. `target` is the URL or the address, sealed; `host` is what is listed of it.
-- `due_at` is when the first of its messages is due; one server at a time sends them, one after the other.
create table alerts (
  id text primary key,
  project_id text not null references projects (id),
  kind text not null check (kind in ('webhook', 'slack', 'discord', 'email')),
  target bytea not null,
  host text not null,
  secret bytea,
  old_secret bytea,
  old_secret_until timestamptz,
  language text not null default 'fr' check (language in ('fr', 'en')),
  tells_incidents boolean not null,
  tells_ships boolean not null,
  tells_drops boolean not null,
  state text not null default 'active' check (state in ('active', 'paused', 'ended')),
  failing_since timestamptz,
  hour_began timestamptz,
  due_at timestamptz,
  claim_id text,
  lease_until timestamptz,
  created_at timestamptz not null default now()
);
create index alerts_by_project on alerts (project_id, created_at, id);
create index alerts_due on alerts (due_at) where due_at is not null;

-- What is to be told to one target, in the transaction that made it true; what it says never changes.
create table messages (
  id text primary key,
  alert_id text not null references alerts (id) on delete cascade,
  project_id text not null references projects (id),
  type text not null check (type in ('incident.opened', 'incident.closed', 'ship.scored', 'summary', 'test')),
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
