-- serves programs from schema 3 on

-- Of an alert by e-mail: the secret part of the address at which whoever gets the e-mails ends them.
alter table alerts add column unsubscribe_id text unique;
