-- serves programs from schema 3 on
-- outside a transaction

-- Partial, so that switching a badge takes no lock that slots or deployments of the project would wait for.
create unique index concurrently if not exists projects_by_badge on projects (badge_id) where badge_id is not null;
