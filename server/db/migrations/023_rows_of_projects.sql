-- serves programs from schema 3 on
-- outside a transaction

-- What a project's page lists, newest first; `deployments_latest` has those of production alone.
create index concurrently if not exists deployments_by_project on deployments (project_id, deployed_at desc, id desc);
-- Those that are open are in it too, for the deletion of a project.
create index concurrently if not exists incidents_by_project on incidents (project_id, closed_at desc, id desc);
