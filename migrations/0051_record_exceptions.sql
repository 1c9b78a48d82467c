-- expand: two tables and two columns that the previous release does not use.

-- The control entries that limit what a record proves: restores, drops, erasures, compromised keys, made-up entries. The entry itself
-- is in `receipts`; this table finds it without reading the whole record. Written in the same transaction as the entry.
create table record_exceptions (
  tenant_id text not null references tenants (id) on delete cascade,
  seq bigint not null,
  event text not null,
  ts timestamptz not null,
  primary key (tenant_id, seq)
);

-- What replicas remember of records that this database contradicts. Each replica writes what it knows, so that the operator's command
-- knows it as well, wherever it runs.
create table contradicted_marks (
  tenant_id text not null references tenants (id) on delete cascade,
  source text not null,
  size bigint not null,
  last text,
  root text,
  marked_at timestamptz not null,
  primary key (tenant_id, source)
);

-- Null where the record went on from another entry before that was noticed: how much was kept is then unknown.
alter table record_restores alter column kept_size drop not null;
-- The control entry about it, and the root that was sealed.
alter table record_restores add column seq bigint;
alter table record_restores add column sealed_root text;
