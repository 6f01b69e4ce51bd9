-- serves programs from schema 3 on

-- Milliseconds until the page's first byte; null if none came. Programs of schema 30 and earlier leave it null.
alter table checks add column first_byte_ms integer;
