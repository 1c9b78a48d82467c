-- expand: a new table; older programs do not know it.
-- That an operator accepted a record which ends before what was sealed: the database was restored to an earlier moment.
create table record_restores (
  tenant_id text not null references tenants (id) on delete cascade,
  accepted_at timestamptz not null,
  -- What was sealed before, and what the database had of it.
  sealed_size bigint not null,
  kept_size bigint not null,
  primary key (tenant_id, accepted_at)
);
