-- The spine: tenants, who may call, and the record of what was called.
-- Money is whole micro-dollars (bigint), never a float. Times are timestamptz in UTC.

create table instance (
  only_row      boolean primary key default true check (only_row),
  id            uuid not null default gen_random_uuid(),
  -- Signs pagination cursors, so that every replica knows the ones any replica issued.
  cursor_secret bytea not null default sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea),
  created_at    timestamptz not null default now()
);
insert into instance default values;

create table tenants (
  id         text primary key,
  name       text not null unique,
  created_at timestamptz not null default now()
);

create table teams (
  id                 text primary key,
  tenant_id          text not null references tenants,
  name               text not null,
  budget_pool_micros bigint not null check (budget_pool_micros >= 0),
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  unique (tenant_id, name),
  unique (tenant_id, id)
);

create table members (
  tenant_id  text not null references tenants,
  user_id    text not null,
  name       text,
  email      text,
  team_id    text,
  role       text not null default 'member' check (role in ('member', 'manager')),
  status     text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, team_id) references teams (tenant_id, id)
);

create table keys (
  id             text primary key,
  tenant_id      text not null references tenants,
  name           text not null,
  role           text not null default 'member' check (role in ('member', 'manager')),
  user_id        text,
  team_id        text,
  rpm_limit      integer check (rpm_limit between 1 and 1000000),
  tpm_limit      integer check (tpm_limit between 1 and 1000000000),
  allowed_models text[],
  hash           bytea not null unique,
  hint           text not null,
  metadata       jsonb not null default '{}',
  created_at     timestamptz not null default now(),
  created_by     text not null,
  expires_at     timestamptz,
  last_used_at   timestamptz,
  revoked_at     timestamptz,
  foreign key (tenant_id, user_id) references members (tenant_id, user_id),
  foreign key (tenant_id, team_id) references teams (tenant_id, id)
);
create index keys_by_tenant on keys (tenant_id, id desc);
create index keys_by_owner on keys (tenant_id, user_id, id desc);

-- Every replica caches callers and drops them when a row changes. `last_used_at` is left out:
-- it changes all the time and decides nothing.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('tallystick_changes', tg_table_name || ':' || coalesce(new.tenant_id, old.tenant_id));
  return null;
end $$;
create trigger announce_keys_written after insert or delete on keys for each row execute function announce_change();
create trigger announce_keys_changed
  after update of name, role, user_id, team_id, rpm_limit, tpm_limit, allowed_models, metadata, expires_at, revoked_at
  on keys for each row execute function announce_change();
create trigger announce_members after insert or update or delete on members for each row execute function announce_change();
create trigger announce_teams after insert or update or delete on teams for each row execute function announce_change();

-- Public halves of every key that ever sealed a record; a retired one is kept for good.
create table signing_keys (
  id         text primary key,
  public_key bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- The end of each tenant's record: how many entries, the last leaf hash, the roots of the perfect subtrees.
-- Locked by the writer, so that numbers have no gaps and no repeats whatever the number of replicas.
create table record_heads (
  tenant_id text primary key references tenants,
  size      bigint not null default 0,
  prev      bytea not null,
  frontier  bytea not null default ''
);

-- No foreign keys here: this is the hot insert, and the writer holds the tenant's head.
create table receipts (
  tenant_id      text not null,
  seq            bigint not null,
  request_id     text not null,
  ts             timestamptz not null,
  canonical      text not null,
  leaf_hash      bytea not null,
  -- Opens the commitments to the bodies; deleting it erases the link to the content, not the chain.
  commitment_key bytea,
  primary key (tenant_id, seq)
);
-- A call is receipted once, also when a spool is replayed. Ids grow with time: inserts go to the right edge.
create unique index receipts_by_request on receipts (request_id);
-- Nearly sorted by time: a block-range index costs next to nothing per insert.
create index receipts_by_time on receipts using brin (ts);

-- Roots of the subtrees over 256, 65536, … entries, so that a proof needs no replay.
create table record_nodes (
  tenant_id text not null,
  level     smallint not null,
  index     bigint not null,
  hash      bytea not null,
  primary key (tenant_id, level, index)
);

create table seals (
  tenant_id  text not null,
  size       bigint not null,
  key_id     text not null references signing_keys,
  note       text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, size)
);

-- Usage by the hour and by every dimension it can be grouped by; '' stands for none.
create table usage_hours (
  tenant_id       text not null,
  hour            timestamptz not null,
  key_id          text not null,
  user_id         text not null,
  team_id         text not null,
  provider        text not null,
  model           text not null,
  requests        bigint not null default 0,
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  cost_micros     bigint not null default 0,
  blocked         bigint not null default 0,
  rate_limited    bigint not null default 0,
  errors          bigint not null default 0,
  latency_ms      bigint not null default 0,
  latency_buckets integer[] not null default '{}',
  primary key (tenant_id, hour, key_id, user_id, team_id, provider, model)
);
