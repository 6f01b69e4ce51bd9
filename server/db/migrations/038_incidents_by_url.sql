-- serves programs from schema 3 on
-- outside a transaction

-- When a URL was failing.
create index concurrently if not exists incidents_by_url on incidents (watched_url_id, since);
