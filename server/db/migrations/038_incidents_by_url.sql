-- serves programs from schema 3 on
-- outside a transaction

-- When a URL was failing; an incident that is open has no end yet.
create index concurrently if not exists incidents_by_url on incidents (watched_url_id, (coalesce(closed_at, 'infinity')));
