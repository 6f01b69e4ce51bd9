-- serves programs from schema 3 on

-- How the looks at a URL went, hour by hour; the hour that runs is still in `looks`. `number` is that of the watched URL.
-- First bytes are those of good looks, in milliseconds. Most of what history costs is here, so a row is 52 bytes, and the
-- key begins with the hour: new rows are written side by side, and old ones are found by it.
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

-- Every verification of a watched URL (`number`) and of a deployment, for ever. `changed`: the findings that differ from
-- those of the one before, null if none does; `previous_score`, of a deployment, is that of the one before.
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

-- How each finding ended and what it earned, by its id. Programs of schema 32 and earlier leave it null.
alter table checks add column findings jsonb;

-- The production deployment within the hour before it, if there was one.
alter table incidents add column deployment_id text;

-- The newest verification of a URL, whose check goes with the URL unless it is that of a deployment.
alter table watched_urls add column newest_check_id text;
create function delete_newest_checks() returns trigger language plpgsql as $$
begin
  delete from checks using gone where checks.id = gone.newest_check_id and kind = 'cycle';
  return null;
end
$$;
create trigger watched_urls_gone after delete on watched_urls referencing old table as gone
  for each statement execute function delete_newest_checks();
