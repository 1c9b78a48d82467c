-- What the record is evidence for and against: packs in force, commitments that were erased, checkpoints kept elsewhere.

-- A row is a pack in force. The pack is kept as it was when it was activated: a newer file changes nothing until someone
-- activates it, and that leaves an entry in the record.
create table tenant_packs (
  tenant_id    text not null references tenants,
  framework    text not null,
  version      text not null,
  source       text not null check (source in ('builtin', 'custom')),
  -- RFC 8785 text of the pack, and its SHA-256 in hex.
  canonical    text not null,
  pack_hash    text not null,
  activated_at timestamptz not null default now(),
  primary key (tenant_id, framework)
);
create trigger announce_tenant_packs after insert or update or delete on tenant_packs
  for each row execute function announce_change();

-- Deletes the keys to a user's commitments, from the oldest receipt on. A row that is not finished is taken up again.
create table erasures (
  id          text primary key,
  tenant_id   text not null references tenants,
  user_id     text not null,
  -- The control entry that announced it: it covers the receipts before that one.
  control_seq bigint not null,
  -- How far it has come, how many keys it has deleted, and where the first and the last of them were.
  done_to     bigint not null default 0,
  erased      bigint not null default 0,
  first_seq   bigint,
  last_seq    bigint,
  created_at  timestamptz not null default now(),
  finished_at timestamptz
);
create index erasures_by_tenant on erasures (tenant_id, id desc);
create index erasures_unfinished on erasures (id) where finished_at is null;

-- Checkpoints that were handed to someone outside: the last one of each day in which a record grew.
create table anchors (
  tenant_id   text not null references tenants,
  type        text not null check (type in ('file', 'rfc3161')),
  day         date not null,
  size        bigint not null,
  -- The signed note that was handed over.
  note        text not null,
  -- Where it went: the path of a file, the URL of a time-stamp authority.
  target      text not null,
  -- What came back: the time-stamp token, DER.
  token       bytea,
  anchored_at timestamptz not null default now(),
  primary key (tenant_id, type, day)
);
