-- `deployment_id` is the production deployment within the hour before the incident. `opened_by` and `closed_by`
-- summarize probes. `locations` are those from which the URL fails, sorted; null if no server has a location name.
-- `acknowledged_by` is an account's id, or `operator`.
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

-- `starts_at` and `ends_at` are the current or next time, or the last one if it `is_over`. A weekly window is `{day,
-- from, to}` in `zone`. `past` has its earlier times, for as long as hours are stored. `urls` is null for all URLs.
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
