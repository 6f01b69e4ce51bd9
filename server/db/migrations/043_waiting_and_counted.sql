-- serves programs from schema 3 on
-- outside a transaction

-- The deployments of a project that wait, which one visit verifies together.
create index concurrently if not exists deployments_waiting on deployments (project_id, try_at) where check_id is null;
create index concurrently if not exists deployments_by_event on deployments (project_id, event_key) where event_key is not null;
-- Those that are verified, beside those before and after them.
create index concurrently if not exists deployments_verified on deployments (project_id, environment, deployed_at, id) where check_id is not null;
-- How many messages are in each state.
create index concurrently if not exists messages_by_state on messages (state);
