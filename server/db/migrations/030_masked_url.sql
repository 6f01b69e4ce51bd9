-- serves programs from schema 3 on

-- The address that was checked, as it stands in the check's answer. Programs of schema 21 and earlier leave it null.
alter table checks add column masked_url text;
