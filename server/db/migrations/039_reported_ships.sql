-- serves programs from schema 3 on

-- What a provider says of a deployment by a hook: its own id for it, and the event's key, by which a repeat is known.
-- `deployed_at` is the provider's time where it names one, `recorded_at` when we heard of it; null in older rows.
-- `begun_at` is when its verification first began, from which the time is counted in which its page may not be there yet.
alter table deployments
  add column provider_id text,
  add column event_key text,
  add column recorded_at timestamptz,
  add column begun_at timestamptz;
alter table deployments alter column recorded_at set default now();
