-- Secrets at rest. A sealed value is encrypted under a data key; a data key is stored encrypted under the master key, which is not
-- in the database.
create table data_keys (
  id            bytea primary key,
  -- The key itself, encrypted under the master key of this id.
  wrapped       bytea not null,
  master_key_id text not null,
  created_at    timestamptz not null default now()
);

-- The master key that new data keys are encrypted under; null until the first start with this version.
alter table instance add column master_key_id text;

-- A value that is not sealed yet stands in the column without `sealed_`; once it is sealed, that one is empty.
alter table webhook_endpoints alter column secret set default '';
alter table webhook_endpoints add column sealed_secret bytea, add column sealed_previous_secret bytea;

-- What an http policy signs its requests with. Null for one that was made before secrets were sealed: its secret is derived from
-- the root, which was `cursor_secret`.
alter table policies add column sealed_secret bytea;
alter table instance add column sealed_guardrail_root bytea;

-- False for a process of the version before, which cannot read what is sealed.
alter table processes add column opens_sealed boolean not null default false;
