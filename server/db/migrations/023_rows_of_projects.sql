-- serves programs from schema 3 on
-- outside a transaction

-- What a project's page lists, newest first; `deployments_latest` has those of production alone.
create index concurrently if not exists deployments_by_project on deployments (project_id, deployed_at desc, id desc);
create index concurrently if not exists incidents_closed_by_project on incidents (project_id, closed_at desc, id desc) where closed_at is not null;
