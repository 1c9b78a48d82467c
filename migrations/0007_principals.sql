-- Who acted is a key, a session or the operator. A session need not have a key.
alter table audit_log
  add column actor_type text not null default 'key' check (actor_type in ('key', 'session', 'operator')),
  -- Null in rows of a program that did not know of it: then the key acted.
  add column actor_id text,
  alter column key_id drop not null;
update audit_log set actor_type = 'operator' where key_id = 'operator';

alter table budget_requests alter column requested_key drop not null;
