-- Calls that were admitted and have no receipt yet. A row is written before the call is forwarded and deleted in the
-- transaction that records its receipt: at every moment a call is here or in the record, never in both or in neither.
-- `draft` is the receipt that is recorded if the process dies, at the price that was reserved.
create table open_calls (
  id             text primary key,
  tenant_id      text not null,
  process_id     text not null,
  draft          text not null,
  commitment_key bytea,
  -- The spending accounts on which the call holds its price.
  accounts       text not null
);
create index open_calls_by_tenant on open_calls (tenant_id);
create index open_calls_by_process on open_calls (process_id);

-- Who serves calls on this database. A process that does not say for a while that it is alive is taken for dead, and
-- its open calls are recorded as interrupted. `absent_since` says that its connection was seen gone: sooner, but less
-- certain.
create table processes (
  id           text primary key,
  started_at   timestamptz not null default now(),
  seen_at      timestamptz not null default now(),
  absent_since timestamptz
);

-- How often the state of a tenant's limits was built anew. A call that was admitted by an older state than the newest
-- is admitted again: the newer one may not know of it.
create table admission_generations (
  tenant_id  text primary key references tenants,
  generation bigint not null default 0
);
insert into admission_generations (tenant_id) select id from tenants;
create function start_admission_generation() returns trigger language plpgsql as $$
begin
  insert into admission_generations (tenant_id) values (new.id);
  return null;
end $$;
create trigger start_admission_generation after insert on tenants for each row execute function start_admission_generation();
