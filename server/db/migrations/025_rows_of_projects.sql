-- serves programs from schema 3 on
-- outside a transaction

-- Which projects were deleted, and what is left of one: all that refers to projects is found by its project, or each
-- project that goes would have the whole table read.
create index concurrently if not exists projects_deleted on projects (id) where owner_id is null;
create index concurrently if not exists checks_by_project on checks (project_id) where project_id is not null;
create index concurrently if not exists incidents_by_project on incidents (project_id);
create index concurrently if not exists deployments_by_project on deployments (project_id);
