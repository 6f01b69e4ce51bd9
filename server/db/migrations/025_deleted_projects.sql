-- serves programs from schema 3 on
-- outside a transaction

-- Which projects were deleted, and the checks that are left of one: without it each check that goes, and each project,
-- would have the whole table read.
create index concurrently if not exists projects_deleted on projects (id) where owner_id is null;
create index concurrently if not exists checks_by_project on checks (project_id) where project_id is not null;
