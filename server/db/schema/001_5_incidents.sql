-- `deployment_id` is the production deployment within the hour before the incident, if there was one. `opened_by` and
-- `closed_by` are what the looks saw that opened and closed it, in brief. `locations` are those from which the URL fails, sorted;
-- null if no server named its location. An acknowledged incident is told without reminders; until `silenced_until` only its closing is
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
  locations text[],
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
