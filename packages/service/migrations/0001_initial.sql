-- expand: the schema of 0.1.0
--
-- Money is whole nano-dollars (1e-9 USD) in bigint, never a float. Amounts that people set are no finer than a micro-dollar and at
-- most nine million dollars, so each of them is exact as a 53-bit number. Times are timestamptz; days and weeks are those of UTC.
--
-- Rows that people delete keep a `deleted_at` (`removed_at` for members, `revoked_at` for keys). Receipts that name them can still be
-- explained, deleting twice is answered as such, and the name is free again: unique indexes of names cover live rows only.
--
-- Columns named `sealed…` are encrypted under a data key. A dump of the database alone opens none of them.


-- Instance and tenants ------------------------------------------------------------------------------------------------------------

create table instance (
  only_row      boolean primary key default true check (only_row),
  id            uuid not null default gen_random_uuid(),
  -- Signs pagination cursors, so that every replica accepts the cursors of every other.
  cursor_secret bytea not null default sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea),
  -- The master key that new data keys are encrypted under. Null until the service starts for the first time.
  master_key_id text,
  created_at    timestamptz not null default now()
);
insert into instance default values;

-- Sealed values are encrypted under a data key, and data keys under the master key, which is not in the database.
create table data_keys (
  id            bytea primary key,
  -- The data key itself, encrypted under the master key named here.
  wrapped       bytea not null,
  master_key_id text not null,
  created_at    timestamptz not null default now()
);

create table tenants (
  id         text primary key,
  name       text not null unique,
  created_at timestamptz not null default now()
);

-- Replicas cache what these notices are about, and drop it when they receive one: `<table>:<tenant>`.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('tallystick_changes', tg_table_name || ':' || coalesce(new.tenant_id, old.tenant_id));
  return null;
end $$;


-- Teams, members, keys ------------------------------------------------------------------------------------------------------------

create table teams (
  id                text primary key,
  tenant_id         text not null references tenants,
  name              text not null,
  budget_pool_nanos bigint not null check (budget_pool_nanos >= 0),
  -- Patterns of `server__tool`; null for all tools.
  allowed_tools     text[],
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  unique (tenant_id, id)
);
create unique index teams_by_name on teams (tenant_id, name) where deleted_at is null;
create trigger announce_teams after insert or update or delete on teams for each row execute function announce_change();

create table members (
  tenant_id        text not null references tenants,
  user_id          text not null,
  name             text,
  email            text,
  team_id          text,
  -- An auditor reads everything of the tenant and changes nothing.
  role             text not null default 'member' check (role in ('member', 'auditor', 'manager')),
  status           text not null default 'active' check (status in ('active', 'suspended')),
  -- Null for all models, all tools, no cap.
  allowed_models   text[],
  allowed_tools    text[],
  budget_cap_nanos bigint check (budget_cap_nanos >= 0),
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  removed_at       timestamptz,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, team_id) references teams (tenant_id, id)
);
create index members_by_team on members (tenant_id, team_id);
-- The order of their list.
create index members_by_age on members (tenant_id, created_at, user_id) where removed_at is null;
create trigger announce_members after insert or update or delete on members for each row execute function announce_change();

create table keys (
  id             text primary key,
  tenant_id      text not null references tenants,
  name           text not null,
  role           text not null default 'member' check (role in ('member', 'auditor', 'manager')),
  user_id        text,
  team_id        text,
  rpm_limit      integer check (rpm_limit between 1 and 1000000),
  tpm_limit      integer check (tpm_limit between 1 and 1000000000),
  -- The version of the tenant's limits (`admission_generations.limits`) at which a rate limit of this key began to apply.
  limits_since   bigint not null default 0,
  allowed_models text[],
  allowed_tools  text[],
  hash           bytea not null unique,
  -- The last characters of the key, for people to recognise it.
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
create index keys_by_team on keys (tenant_id, team_id);
create trigger announce_keys_written after insert or delete on keys for each row execute function announce_change();
-- Without `last_used_at`, which changes with every call and decides nothing.
create trigger announce_keys_changed
  after update of name, role, user_id, team_id, rpm_limit, tpm_limit, allowed_models, allowed_tools, metadata, expires_at, revoked_at
  on keys for each row execute function announce_change();


-- Sessions: people who signed in with a browser -----------------------------------------------------------------------------------

-- Only a hash of the cookie is stored; `id` names the session and proves nothing. A session without a key was opened by OpenID
-- Connect and acts for its user alone.
create table sessions (
  id           text primary key,
  tenant_id    text not null references tenants,
  hash         bytea not null unique,
  key_id       text references keys on delete cascade,
  -- The owner of the key when the session was opened, or the user who signed in.
  user_id      text,
  ip           text not null,
  user_agent   text not null,
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- Set when it ends before it expires. The row stays for as long as the session could have lasted.
  ended_at     timestamptz,
  foreign key (tenant_id, user_id) references members (tenant_id, user_id) on delete cascade,
  check (key_id is not null or user_id is not null)
);
create index sessions_by_user on sessions (tenant_id, user_id, id desc);
create index sessions_by_key on sessions (key_id, id desc);
create index sessions_by_age on sessions (created_at);
-- Replicas keep sessions in memory. `last_seen_at` decides nothing, so only the end of a session is announced.
create trigger announce_sessions_ended after update of ended_at on sessions for each row execute function announce_change();

create function role_rank(role text) returns int language sql immutable strict parallel safe as $$
  select array_position(array['member', 'auditor', 'manager'], role)
$$;

-- A session ends in the transaction that takes rights away from its key or user, whoever makes that change. Giving the rights back
-- later does not bring it back. Rows are locked in the order of their ids, as in the update of `last_seen_at`, so that the two cannot
-- deadlock.
create function end_sessions_of_key() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = now()
    where id in (select id from sessions where key_id = new.id and ended_at is null order by id for update);
  return null;
end $$;
create trigger end_sessions_of_key after update of role, user_id, revoked_at on keys for each row
  when ((old.revoked_at is null and new.revoked_at is not null) or old.user_id is distinct from new.user_id
    or role_rank(new.role) < role_rank(old.role))
  execute function end_sessions_of_key();

create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = now()
    where id in (select id from sessions
      where tenant_id = new.tenant_id and user_id = new.user_id and ended_at is null order by id for update);
  return null;
end $$;
create trigger end_sessions_of_user after update of role, status, removed_at on members for each row
  when ((old.status <> 'suspended' and new.status = 'suspended') or (old.removed_at is null and new.removed_at is not null)
    or role_rank(new.role) < role_rank(old.role))
  execute function end_sessions_of_user();

-- Which account at an OpenID Connect issuer a member is. An email may change hands; the subject does not.
create table oidc_identities (
  tenant_id  text not null references tenants,
  issuer     text not null,
  -- SHA-256 of the subject in hex: the subject itself is stored nowhere.
  subject    text not null,
  user_id    text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, issuer, subject),
  unique (tenant_id, issuer, user_id),
  foreign key (tenant_id, user_id) references members (tenant_id, user_id) on delete cascade
);

-- A user who was removed and is added again is a new member, who may be somebody else.
create function forget_oidc_identity() returns trigger language plpgsql as $$
begin
  delete from oidc_identities where tenant_id = new.tenant_id and user_id = new.user_id;
  return null;
end $$;
create trigger forget_oidc_identity after update of removed_at on members for each row
  when (old.removed_at is not null and new.removed_at is null) execute function forget_oidc_identity();


-- Audit log -----------------------------------------------------------------------------------------------------------------------

-- Every write of the management API: who, when, and the row before and after. Never a secret.
create table audit_log (
  id           text primary key,
  tenant_id    text not null references tenants,
  at           timestamptz not null default now(),
  -- `operator` is a command that runs on the machine itself.
  actor_type   text not null check (actor_type in ('key', 'session', 'operator')),
  actor_id     text not null,
  -- The key that acted, or that the session was opened with. Null for the operator and for sessions without a key.
  key_id       text,
  user_id      text,
  action       text not null,
  subject_type text not null,
  subject_id   text not null,
  before       jsonb,
  after        jsonb
);
create index audit_log_by_tenant on audit_log (tenant_id, id desc);
-- The order in which sinks read it.
create index audit_log_by_time on audit_log (tenant_id, at, id);
create index audit_log_by_subject on audit_log (tenant_id, subject_type, subject_id, id);
create index audit_log_by_user on audit_log (tenant_id, user_id, id);
create index audit_log_by_key on audit_log (tenant_id, key_id, id);

-- Answers to requests of the management API with an Idempotency-Key, written in the transaction of the request. They may hold a
-- secret, so each is encrypted under a key that is derived from the caller's credential and Idempotency-Key; neither is stored.
create table idempotent_answers (
  tenant_id   text not null references tenants,
  -- The id of the key or session that asked.
  caller      text not null,
  -- SHA-256 of the Idempotency-Key.
  key_hash    bytea not null,
  salt        bytea not null,
  -- Keyed hash of method, path and body.
  fingerprint bytea not null,
  sealed      bytea,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, caller, key_hash)
);
create index idempotent_answers_by_age on idempotent_answers (created_at);


-- The record: signed, hash-chained entries ----------------------------------------------------------------------------------------

-- Public halves of all keys that ever signed a record. A retired key stays, so that its seals can be verified.
create table signing_keys (
  id         text primary key,
  public_key bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create function announce_signing_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('tallystick_changes', 'signing_keys:');
  return null;
end $$;
-- For each row and not for each statement: publishing a key that is there already, as every start does, changes no row.
create trigger announce_signing_keys after insert or update on signing_keys
  for each row execute function announce_signing_keys();

-- The end of each tenant's record: the number of entries, the last leaf hash, and the roots of the perfect subtrees. Numbers have no
-- gaps and no repeats because every writer moves this row in the transaction of its entries.
create table record_heads (
  tenant_id  text primary key references tenants,
  size       bigint not null default 0,
  prev       bytea not null,
  frontier   bytea not null default '',
  -- While a writer has its turn, other writers leave the head alone. A turn ends by itself, so a paused writer blocks nobody for long.
  turn_of    text,
  turn_until timestamptz
);

-- Moves the head of a record from the position, size and last hash that the writer knows, and returns the new position of the row.
-- The row is first looked for at its known position (`place`): while a snapshot is open, the primary key leads through every version
-- that the row has had. A writer that has locked the head passes null as `writer`, and turns do not concern it.
-- Errors: TSH01 when another writer has moved the head or has its turn; TSH02 when there is no such record.
create function move_head(
  tenant text, place tid, known_size bigint, known_prev bytea, writer text,
  new_size bigint, new_prev bytea, new_frontier bytea
) returns tid language plpgsql as $$
declare
  moved tid;
begin
  update record_heads set size = new_size, prev = new_prev, frontier = new_frontier, turn_of = null, turn_until = null
    where ctid = place and tenant_id = tenant and size = known_size and prev = known_prev
      and (turn_until is null or writer is null or turn_of = writer or turn_until < clock_timestamp())
    returning ctid into moved;
  if found then
    return moved;
  end if;
  update record_heads set size = new_size, prev = new_prev, frontier = new_frontier, turn_of = null, turn_until = null
    where tenant_id = tenant and size = known_size and prev = known_prev
      and (turn_until is null or writer is null or turn_of = writer or turn_until < clock_timestamp())
    returning ctid into moved;
  if found then
    return moved;
  end if;
  if not exists (select from record_heads where tenant_id = tenant) then
    raise exception 'tenant % has no record', tenant using errcode = 'TSH02';
  end if;
  raise exception 'another writer of the record of % was first', tenant using errcode = 'TSH01';
end $$;

-- Takes a turn at all of the heads or at none; without a turn it returns no rows, and the writer asks again. It waits a little for the
-- turns of others. Waiting here instead of in the writer gives distant writers the same chance as near ones. No lock is held meanwhile.
create function take_turns(tenants text[], writer text, turn interval, patience interval)
returns table (tenant_id text, place text, size bigint, prev bytea, frontier bytea) language plpgsql as $$
declare
  give_up timestamptz := clock_timestamp() + patience;
begin
  while exists (select from record_heads h
                where h.tenant_id = any (tenants) and h.turn_of <> writer and h.turn_until > clock_timestamp()) loop
    if clock_timestamp() > give_up then
      return;
    end if;
    perform pg_sleep(0.001);
  end loop;
  -- A turn that is lost when the server crashes does no harm.
  perform set_config('synchronous_commit', 'off', true);
  perform from record_heads h where h.tenant_id = any (tenants) order by h.tenant_id for no key update;
  if exists (select from record_heads h
             where h.tenant_id = any (tenants) and h.turn_of <> writer and h.turn_until > clock_timestamp()) then
    return;
  end if;
  return query
    update record_heads h set turn_of = writer, turn_until = clock_timestamp() + turn
    where h.tenant_id = any (tenants)
    returning h.tenant_id, h.ctid::text, h.size, h.prev, h.frontier;
end $$;

-- The entries. No foreign keys: this is the hot insert, and the writer moves the tenant's head in the same transaction.
create table receipts (
  tenant_id      text not null,
  seq            bigint not null,
  request_id     text not null,
  ts             timestamptz not null,
  canonical      text not null,
  leaf_hash      bytea not null,
  -- Opens the commitments to the bodies. Deleting it erases the link to the content, not the chain.
  commitment_key bytea,
  -- Whose call it is of: `user:` or `key:` and the id in its JSON form. Null for control entries.
  owner          text,
  primary key (tenant_id, seq)
);
-- A call has one receipt, also when a spool is replayed. Ids grow with time, so inserts go to the right edge of the index.
create unique index receipts_by_request on receipts (request_id);
-- Rows are nearly sorted by time: a block-range index costs next to nothing per insert.
create index receipts_by_time on receipts using brin (ts);

-- The receipts of a member, newest first.
create index receipts_by_owner on receipts (tenant_id, owner, seq) where owner is not null;

-- Roots of the subtrees over 256, 65536, … entries, so that a proof does not read every leaf.
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

-- A retired key signs nothing more, whichever replica still has it. The writer treats this code as a failure of the database, so
-- receipts wait in the spool until the replica has its new key.
create function refuse_retired_key() returns trigger language plpgsql as $$
begin
  if exists (select from signing_keys where id = new.key_id and retired_at is not null) then
    raise exception 'signing key % is retired', new.key_id using errcode = '55000';
  end if;
  return new;
end $$;
create trigger refuse_retired_key before insert on seals for each row execute function refuse_retired_key();

-- The size up to which old seals of a record were thinned out.
create table seal_thinning (
  tenant_id text primary key references tenants (id) on delete cascade,
  size      bigint not null
);

-- Where the kept part of a record begins. Entries up to `size` were exported and dropped. Later proofs and exports need what is kept
-- here, with the signed checkpoint over the dropped entries.
create table record_closings (
  tenant_id  text not null references tenants,
  size       bigint not null check (size > 0),
  -- Leaf hash of the last dropped entry.
  prev       bytea not null,
  -- Roots of the perfect subtrees over all dropped entries, largest first.
  frontier   bytea not null,
  note       text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, size)
);

-- Times at which an operator accepted a record that ends before its last seal, because the database was restored from a backup.
create table record_restores (
  tenant_id   text not null references tenants (id) on delete cascade,
  accepted_at timestamptz not null,
  -- What had been sealed.
  sealed_size bigint not null,
  sealed_root text,
  -- How much of it the database still had. Null if the record was continued before the restore was noticed: then nobody knows.
  kept_size   bigint,
  -- The control entry about it.
  seq         bigint,
  primary key (tenant_id, accepted_at)
);

-- Control entries that limit what a record proves: restores, drops, erasures, compromised keys, demo data. The entry itself is in
-- `receipts`; this table finds it without reading the whole record. Written in the transaction of the entry.
create table record_exceptions (
  tenant_id text not null references tenants (id) on delete cascade,
  seq       bigint not null,
  event     text not null,
  ts        timestamptz not null,
  primary key (tenant_id, seq)
);

-- High-water marks of records that this database contradicts. Each replica writes the marks it knows, so that the operator's command
-- knows them wherever it runs.
create table contradicted_marks (
  tenant_id text not null references tenants (id) on delete cascade,
  source    text not null,
  size      bigint not null,
  last      text,
  root      text,
  marked_at timestamptz not null,
  primary key (tenant_id, source)
);

-- Checkpoints that were published outside: the last one of each day on which a record grew.
create table anchors (
  tenant_id   text not null references tenants,
  type        text not null check (type in ('file', 'rfc3161')),
  day         date not null,
  size        bigint not null,
  -- The signed note that was published.
  note        text not null,
  -- The path of the file, or the URL of the time-stamp authority.
  target      text not null,
  -- The time-stamp token that was returned, DER.
  token       bytea,
  anchored_at timestamptz not null default now(),
  primary key (tenant_id, type, day)
);

-- Erasures of a person: the keys to their commitments are deleted, from the oldest receipt on. An unfinished row is resumed.
create table erasures (
  id          text primary key,
  tenant_id   text not null references tenants,
  user_id     text not null,
  -- The control entry that announced it. It covers the receipts before that entry.
  control_seq bigint not null,
  -- How far it has come, how many keys it has deleted, and the first and last receipts that had one.
  done_to     bigint not null default 0,
  erased      bigint not null default 0,
  first_seq   bigint,
  last_seq    bigint,
  created_at  timestamptz not null default now(),
  finished_at timestamptz
);
create index erasures_by_tenant on erasures (tenant_id, id desc);
create index erasures_by_user on erasures (tenant_id, user_id, control_seq);
-- Replicas cache erasures: a call that began before one stores no content after it.
create trigger announce_erasures after insert on erasures for each row execute function announce_change();

-- Corrections of costs, by the entry that they correct.
create table adjustments (
  tenant_id  text not null references tenants,
  adjusts    bigint not null,
  seq        bigint not null,
  cost_nanos bigint not null,
  primary key (tenant_id, adjusts, seq)
);


-- Open calls ----------------------------------------------------------------------------------------------------------------------

-- Calls that were admitted and have no receipt yet. A row is written before the call is forwarded, and deleted in the transaction that
-- records its receipt: at any moment a call is either here or in the record.
create table open_calls (
  id             text primary key,
  tenant_id      text not null,
  -- Null for a line of a batch, which belongs to no process and ends when its batch does.
  process_id     text,
  -- The receipt that is recorded if the process dies, at the price that was reserved.
  draft          text not null,
  commitment_key bytea,
  batch_id       text
);
create index open_calls_by_tenant on open_calls (tenant_id);
create index open_calls_by_process on open_calls (process_id);
create index open_calls_by_batch on open_calls (batch_id) where batch_id is not null;

-- Processes that serve calls on this database. One that sends no heartbeat for a while counts as dead, and its open calls are recorded
-- as interrupted. `absent_since` is set when its connection is gone, which is noticed sooner but is less certain.
create table processes (
  id           text primary key,
  started_at   timestamptz not null default now(),
  seen_at      timestamptz not null default now(),
  absent_since timestamptz
);


-- Jobs ----------------------------------------------------------------------------------------------------------------------------

-- Work that any replica may do in the background, taken by a lease. What is to be done, and what users see of it, is in the row
-- with the same id in another table (compliance_jobs, batches, erasures).
create table jobs (
  id           text primary key,
  kind         text not null,
  tenant_id    text not null references tenants (id) on delete cascade,
  -- Jobs of one kind and group run one at a time, in the order of their ids. Null: in any order, also at once.
  group_key    text,
  -- `dead`: given up, for the reason in `last_error`.
  state        text not null default 'open' check (state in ('open', 'done', 'dead')),
  -- Not before this moment.
  run_at       timestamptz not null default now(),
  -- How often it was begun since it last made progress.
  attempts     integer not null default 0,
  -- The process that works on it, and until when; `infinity` is a lease that ends with its process.
  leased_by    text,
  leased_until timestamptz,
  -- Counts the leases. Whoever writes for a job names the number of its lease: one that lost it writes nothing.
  lease_number bigint not null default 0,
  started_at   timestamptz,
  ended_at     timestamptz,
  last_error   text,
  created_at   timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0.05);
create index jobs_open on jobs (kind, run_at) where state = 'open';
create index jobs_open_by_group on jobs (kind, group_key, id) where state = 'open' and group_key is not null;
-- When a tenant had its last turn.
create index jobs_by_turn on jobs (kind, tenant_id, started_at desc) where started_at is not null;
create index jobs_ended on jobs (ended_at) where state <> 'open';

-- A new job wakes the workers of every replica, which look often while there are open jobs. So does one that is made due.
create trigger announce_new_jobs after insert on jobs for each row execute function announce_change();
create trigger announce_due_jobs after update of run_at on jobs
  for each row when (new.state = 'open' and new.run_at <= clock_timestamp()) execute function announce_change();


-- Budgets and spend ---------------------------------------------------------------------------------------------------------------

create table budgets (
  id            text primary key,
  tenant_id     text not null references tenants,
  name          text not null,
  -- The id of a tag is `name=value`. `*` as the value, or as the session, stands for each of them by itself.
  scope_type    text not null check (scope_type in ('tenant', 'team', 'user', 'key', 'tag', 'session')),
  scope_id      text not null,
  amount_nanos  bigint not null check (amount_nanos >= 0),
  period        text not null check (period in ('daily', 'weekly', 'monthly', 'total')),
  threshold_pct integer not null default 80 check (threshold_pct between 1 and 100),
  action        text not null default 'block' check (action in ('block', 'alert')),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  unique (tenant_id, id)
);
create unique index budgets_by_name on budgets (tenant_id, name) where deleted_at is null;
create index budgets_by_tenant on budgets (tenant_id, id desc);
create index budgets_by_scope on budgets (tenant_id, scope_type, scope_id) where deleted_at is null;
create trigger announce_budgets after insert or update or delete on budgets for each row execute function announce_change();

create table budget_requests (
  id             text primary key,
  tenant_id      text not null,
  budget_id      text not null,
  amount_nanos   bigint not null check (amount_nanos > 0),
  reason         text not null,
  status         text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  requested_key  text,
  requested_user text,
  decided_key    text,
  decided_user   text,
  decided_at     timestamptz,
  note           text,
  granted_nanos  bigint check (granted_nanos > 0),
  -- The period in which it was approved, which is the only one in which the grant counts.
  granted_period timestamptz,
  created_at     timestamptz not null default now(),
  foreign key (tenant_id, budget_id) references budgets (tenant_id, id)
);
create index budget_requests_by_tenant on budget_requests (tenant_id, id desc);
create index budget_requests_by_requester on budget_requests (tenant_id, requested_user, id desc);
create index budget_grants on budget_requests (budget_id, granted_period) where status = 'approved';
create trigger announce_budget_requests after update on budget_requests for each row execute function announce_change();

-- Everything that limits spend and has a threshold: budgets, and by the month the pools of teams and the caps of users.
create view spend_limits as
  select tenant_id, scope_type, scope_id, 'budget:' || id as subject, 'Budget "' || name || '"' as title,
    id as budget_id, period, amount_nanos, threshold_pct
  from budgets where deleted_at is null
  union all
  select tenant_id, 'team', id, 'pool:' || id, 'The pool of team "' || name || '"', null, 'monthly', budget_pool_nanos, 80
  from teams where deleted_at is null
  union all
  select tenant_id, 'user', user_id, 'cap:' || user_id, 'The cap of user "' || user_id || '"', null, 'monthly', budget_cap_nanos, 80
  from members where removed_at is null and budget_cap_nanos is not null;

-- The first day of the period that a day falls into. Weeks begin on Monday.
create function period_start(period text, day date) returns date language sql immutable as $$
  select case period
    when 'daily' then day
    when 'weekly' then date_trunc('week', day::timestamp)::date
    when 'monthly' then date_trunc('month', day::timestamp)::date
    else date '1970-01-01' end
$$;
-- The day after the last day of that period; infinity for a total.
create function period_end(period text, day date) returns date language sql immutable as $$
  select case period
    when 'daily' then day + 1
    when 'weekly' then (date_trunc('week', day::timestamp) + interval '7 days')::date
    when 'monthly' then (date_trunc('month', day::timestamp) + interval '1 month')::date
    else date 'infinity' end
$$;

-- Spend by the day of admission, for each scope; a projection of the record. Any period is a sum of days, so a budget that is created
-- in the middle of a period knows what was spent before. The view `spend_days` adds the rows of `usage_deltas` that are not folded yet.
create table folded_spend_days (
  tenant_id  text not null,
  scope_type text not null,
  scope_id   text not null,
  day        date not null,
  cost_nanos bigint not null,
  primary key (tenant_id, scope_type, scope_id, day)
);


-- Usage ---------------------------------------------------------------------------------------------------------------------------

-- Sums of usage and spend are appended as deltas and folded into totals. A commit group appends one row per combination of dimensions
-- instead of adding to rows that every group updates: under an open snapshot each update leaves a version that every later lookup
-- reads. A job folds the rows into the totals. `usage_hours`, `usage_minutes` and `spend_days` are views of totals and unfolded rows,
-- so a sum read from them is exact at any moment.

-- `seq` is that of the first receipt that the row counts. Receipts of a tenant are committed in the order of their numbers, so a row that
-- is committed later has a higher one.
create table usage_deltas (
  tenant_id       text not null,
  seq             bigint not null,
  minute          timestamptz not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_nanos      bigint not null,
  latency_ms      bigint not null,
  requests        integer not null,
  blocked         integer not null,
  errors          integer not null,
  -- '' stands for none.
  key_id          text not null,
  user_id         text not null,
  team_id         text not null,
  provider        text not null,
  model           text not null,
  outcome         text not null,
  session         text not null,
  tags            jsonb not null,
  -- A histogram of latencies as one number: bucket i counts units of 10^(12 i). Histograms are added and subtracted as numbers are, for
  -- a twelfth of what a sum for each bucket of an array took.
  latency_buckets numeric not null,
  primary key (tenant_id, seq)
-- Every row is deleted within seconds: vacuum after a number of rows, not after a share of the table.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);

-- How far the rows of a tenant are folded: the highest `upto`. The fold that inserts a row deletes the ones before it. It is not one row
-- that is updated, because readers find the newest entry at the end of the index without reading the versions before it. Readers need it
-- for speed alone: it spares them the entries of rows that are deleted but, under an open snapshot, not yet removed.
create table usage_folds (
  tenant_id text not null,
  upto      bigint not null,
  primary key (tenant_id, upto)
);

-- Usage by the hour and by every dimension that it can be grouped by; '' stands for none.
create table folded_usage_hours (
  tenant_id       text not null,
  hour            timestamptz not null,
  key_id          text not null,
  user_id         text not null,
  team_id         text not null,
  provider        text not null,
  model           text not null,
  outcome         text not null default '',
  tags            jsonb not null default '{}',
  -- Stands for the tags in the primary key: the tags can be larger than an index allows.
  tags_id         text not null default '',
  requests        bigint not null default 0,
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  cost_nanos      bigint not null default 0,
  blocked         bigint not null default 0,
  rate_limited    bigint not null default 0,
  errors          bigint not null default 0,
  latency_ms      bigint not null default 0,
  latency_buckets numeric not null default 0,
  primary key (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags_id)
);

-- Sums of completed days, so that a report over months reads few rows. A day counts only while it is in `closed_usage_days`: whoever
-- adds to a total of an hour reopens its day in the same transaction.
create table usage_days (
  tenant_id       text not null,
  day             timestamptz not null,
  key_id          text not null,
  user_id         text not null,
  team_id         text not null,
  provider        text not null,
  model           text not null,
  outcome         text not null default '',
  tags            jsonb not null default '{}',
  tags_id         text not null default '',
  requests        bigint not null default 0,
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  cost_nanos      bigint not null default 0,
  blocked         bigint not null default 0,
  rate_limited    bigint not null default 0,
  errors          bigint not null default 0,
  latency_ms      bigint not null default 0,
  latency_buckets numeric not null default 0,
  primary key (tenant_id, day, key_id, user_id, team_id, provider, model, outcome, tags_id)
);
-- Sums of completed days in less detail, for the reports that need few dimensions: by provider, model and outcome, by day and by hour; by
-- key, user and team; by team, provider and model. '' in a dimension that a detail does not have. They count as long as their
-- day does.
create table usage_summaries (
  tenant_id       text not null,
  detail          text not null check (detail in ('model_days', 'model_hours', 'owner_days', 'team_days')),
  start           timestamptz not null,
  key_id          text not null default '',
  user_id         text not null default '',
  team_id         text not null default '',
  provider        text not null default '',
  model           text not null default '',
  outcome         text not null default '',
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_nanos      bigint not null,
  blocked         bigint not null,
  rate_limited    bigint not null,
  errors          bigint not null,
  latency_ms      bigint not null,
  latency_buckets numeric not null,
  primary key (tenant_id, detail, start, key_id, user_id, team_id, provider, model, outcome)
);
create table closed_usage_days (
  tenant_id text not null,
  day       timestamptz not null,
  -- Set while a day is being summed. The sum counts only if the same value is still there at the end. Null for a closed day.
  attempt   text,
  -- Whether the hours of the day were merged into one row for each combination. A day that is reopened and closed is merged again.
  rolled    boolean not null default false,
  primary key (tenant_id, day)
);

-- Refusals are few rows, which every report looks for.
create index folded_usage_hours_refused on folded_usage_hours (tenant_id, hour) where rate_limited > 0;
-- The hours with more different tags than are kept: the rest was counted with these tags (`rareTags`).
create index folded_usage_hours_rare_tags on folded_usage_hours (tenant_id, hour) where tags = '{"":""}';
create index usage_days_refused on usage_days (tenant_id, day) where rate_limited > 0;

-- The last hours by the minute, for the shortest range. Old rows are deleted: the hours keep the same calls for good.
create table folded_usage_minutes (
  tenant_id       text not null,
  minute          timestamptz not null,
  key_id          text not null,
  user_id         text not null,
  team_id         text not null,
  provider        text not null,
  model           text not null,
  requests        bigint not null default 0,
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  cost_nanos      bigint not null default 0,
  blocked         bigint not null default 0,
  rate_limited    bigint not null default 0,
  errors          bigint not null default 0,
  latency_ms      bigint not null default 0,
  latency_buckets numeric not null default 0,
  primary key (tenant_id, minute, key_id, user_id, team_id, provider, model)
);

create function tags_id(tags jsonb) returns text language sql immutable parallel safe
  return case when tags = '{}' then '' else encode(sha256(convert_to(tags::text, 'UTF8')), 'hex') end;

-- Plan: the highest `upto` of the tenant, then a range of the primary key of usage_deltas. `offset 0` keeps the range a condition of the
-- index. Without it, once the statistics say that the table is almost empty, the planner reads all entries of the tenant and compares
-- them afterwards, which under an open snapshot includes every deleted one.
create view unfolded_usage as
select t.id as tenant_id, d.*
from tenants t
cross join lateral (select coalesce(max(f.upto), 0) as upto from usage_folds f where f.tenant_id = t.id) f
cross join lateral (
  select d.seq, d.minute, d.input_tokens, d.output_tokens, d.cost_nanos, d.latency_ms, d.requests, d.blocked, d.errors, d.key_id, d.user_id,
    d.team_id, d.provider, d.model, d.outcome, d.session, d.tags, d.latency_buckets
  from usage_deltas d where d.tenant_id = t.id and d.seq > f.upto offset 0) d;

create view usage_hours as
select tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags, tags_id, requests, input_tokens, output_tokens,
  cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets
from folded_usage_hours
union all
select tenant_id, date_bin('1 hour', minute, 'epoch'), key_id, user_id, team_id, provider, model, outcome, tags, tags_id(tags),
  requests::bigint, input_tokens, output_tokens, cost_nanos, blocked::bigint, 0::bigint, errors::bigint, latency_ms,
  latency_buckets
from unfolded_usage;

create view usage_minutes as
select tenant_id, minute, key_id, user_id, team_id, provider, model, requests, input_tokens, output_tokens, cost_nanos, blocked,
  rate_limited, errors, latency_ms, latency_buckets
from folded_usage_minutes
union all
select tenant_id, minute, key_id, user_id, team_id, provider, model, requests::bigint, input_tokens, output_tokens, cost_nanos,
  blocked::bigint, 0::bigint, errors::bigint, latency_ms, latency_buckets
from unfolded_usage;

-- One branch for each type of scope: a question about one type does not read the rows of the others.
create view unfolded_spend as
select tenant_id, 'tenant' as scope_type, tenant_id as scope_id, (minute at time zone 'UTC')::date as day, cost_nanos
from unfolded_usage where cost_nanos <> 0
union all
select tenant_id, 'team', team_id, (minute at time zone 'UTC')::date, cost_nanos
from unfolded_usage where cost_nanos <> 0 and team_id <> ''
union all
select tenant_id, 'user', user_id, (minute at time zone 'UTC')::date, cost_nanos
from unfolded_usage where cost_nanos <> 0 and user_id <> ''
union all
select tenant_id, 'key', key_id, (minute at time zone 'UTC')::date, cost_nanos
from unfolded_usage where cost_nanos <> 0 and key_id <> ''
union all
select tenant_id, 'session', session, (minute at time zone 'UTC')::date, cost_nanos
from unfolded_usage where cost_nanos <> 0 and session <> ''
union all
select u.tenant_id, 'tag', t.key || '=' || t.value, (u.minute at time zone 'UTC')::date, u.cost_nanos
from unfolded_usage u cross join lateral jsonb_each_text(u.tags) t
where u.cost_nanos <> 0 and u.tags <> '{}';

create view spend_days as
select tenant_id, scope_type, scope_id, day, cost_nanos from folded_spend_days
union all
select tenant_id, scope_type, scope_id, day, cost_nanos from unfolded_spend;


-- Calls ---------------------------------------------------------------------------------------------------------------------------

-- A row for each receipt of a call, written in the receipt's transaction and rebuilt from the record when needed. Partitioned by the
-- week of admission, so that old weeks are dropped at once.
create table calls (
  tenant_id      text not null,
  -- In milliseconds, as in the record: a cursor holds no more.
  ts             timestamptz(3) not null,
  seq            bigint not null,
  -- The same for all attempts of a call.
  request_id     text not null,
  kind           text not null,
  key_id         text,
  user_id        text,
  team_id        text,
  -- `mcp:<server>` for a call of a tool.
  provider       text,
  -- One spelling for each model, however the caller spelt it.
  model          text,
  asked_model    text,
  upstream       text,
  stream         boolean not null,
  status         integer,
  outcome        text,
  input_tokens   bigint not null,
  output_tokens  bigint not null,
  cached_tokens  bigint not null,
  -- Including corrections.
  cost_nanos     bigint not null,
  usage_source   text,
  latency_ms     integer,
  first_token_ms integer,
  session        text,
  tags           jsonb,
  -- Policies that failed or acted.
  policy_ids     text[],
  attempt        smallint not null default 1,
  -- The route that chose the model; null where the caller did.
  route          text,
  -- The coding agent that made the call.
  agent          text,
  -- `hit` where the answer came from the response cache of a route.
  cache          text,
  -- The batch that the call was a line of.
  batch          text,
  server         text,
  tool           text,
  -- The method of the protocol, where it is not `tools/call`.
  method         text,
  tool_error     boolean not null default false,
  rpc_code       bigint,
  -- False for a call that its budget refused, which counts in no rate limit. Limits are restored from these rows.
  admitted       boolean not null default true,
  -- When each stage ended, in hundredths of a millisecond after arrival, in the order of `stageNames`. Only the process that made the
  -- call knows them, so they are not in the record and are not rebuilt from it.
  stage_ends     integer[],
  primary key (tenant_id, ts, seq)
) partition by range (ts);

-- Takes rows without a partition, so that no receipt is refused for want of one: a clock that is far off, or an old span that nobody
-- prepared. It stays small, because `make_calls_partitions` moves rows out of it. Since it is written to so rarely, it has all indexes
-- of a search from the start. Few calls have a value for those columns whose index is partial.
create table calls_default partition of calls default;
create index calls_default_by_key on calls_default (tenant_id, key_id, ts, seq);
create index calls_default_by_user on calls_default (tenant_id, user_id, ts, seq);
create index calls_default_by_team on calls_default (tenant_id, team_id, ts, seq);
create index calls_default_by_kind on calls_default (tenant_id, kind, ts, seq);
create index calls_default_by_model on calls_default (tenant_id, model, ts, seq);
create index calls_default_by_provider on calls_default (tenant_id, provider, ts, seq);
create index calls_default_by_outcome on calls_default (tenant_id, outcome, ts, seq);
create index calls_default_by_session on calls_default (tenant_id, session, ts, seq);
create index calls_default_by_route on calls_default (tenant_id, route, ts, seq) where route is not null;
create index calls_default_by_agent on calls_default (tenant_id, agent, ts, seq) where agent is not null;
create index calls_default_by_cache on calls_default (tenant_id, cache, ts, seq) where cache is not null;
create index calls_default_by_batch on calls_default (tenant_id, batch, ts, seq) where batch is not null;
create index calls_default_by_tool on calls_default (tenant_id, tool, ts, seq) where tool is not null;
create index calls_default_by_request on calls_default (request_id);
create index calls_default_by_cost on calls_default (tenant_id, cost_nanos);
create index calls_default_by_policy on calls_default using gin (policy_ids);
create index calls_default_by_tag on calls_default using gin (tags jsonb_path_ops);

-- The weekly partitions. One gets its search indexes when its week is over, so that they slow down no call.
create table calls_partitions (
  name    text primary key,
  since   timestamptz not null unique,
  until   timestamptz not null,
  indexed boolean not null default false
);

-- Makes the missing partitions for the weeks from `since` to `until`. A partition is created empty, filled with the rows of its week
-- from the default partition, and then attached. Writers are locked out from before the move until after the attachment, because a row
-- on its way to the default partition would be refused otherwise. This takes milliseconds; `lock_timeout` bounds the wait for the lock.
create function make_calls_partitions(since timestamptz, until timestamptz) returns integer language plpgsql as $$
declare
  week timestamp := date_trunc('week', since at time zone 'UTC');
  first_moment timestamptz;
  next_moment timestamptz;
  part text;
  made integer := 0;
begin
  while week <= until at time zone 'UTC' loop
    part := 'calls_' || to_char(week, 'YYYYMMDD');
    if to_regclass(part) is null then
      lock table calls in share row exclusive mode;
      -- Another process may have made it while this one waited.
      if to_regclass(part) is null then
        first_moment := week at time zone 'UTC';
        next_moment := (week + interval '7 days') at time zone 'UTC';
        execute format('create table %I (like calls including defaults)', part);
        execute format('with moved as (delete from calls_default where ts >= %L and ts < %L returning *) insert into %I select * from moved',
          first_moment, next_moment, part);
        execute format('alter table calls attach partition %I for values from (%L) to (%L)', part, first_moment, next_moment);
        insert into calls_partitions (name, since, until) values (part, first_moment, next_moment);
        made := made + 1;
      end if;
    end if;
    week := week + interval '7 days';
  end loop;
  return made;
end $$;
select make_calls_partitions(now(), now() + interval '28 days');


-- Policies ------------------------------------------------------------------------------------------------------------------------

create table policies (
  id            text primary key,
  tenant_id     text not null references tenants,
  name          text not null,
  description   text not null default '',
  kind          text not null,
  config        jsonb not null,
  scope_type    text not null check (scope_type in ('tenant', 'team', 'user', 'key')),
  scope_id      text not null,
  phase         text not null check (phase in ('input', 'output', 'both')),
  action        text not null check (action in ('block', 'redact', 'flag')),
  enabled       boolean not null default true,
  version       integer not null default 1,
  -- What an `http` policy signs its requests with; null for other kinds.
  sealed_secret bytea,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz
);
create unique index policies_by_name on policies (tenant_id, name) where deleted_at is null;
create index policies_by_tenant on policies (tenant_id, id desc);
create trigger announce_policies after insert or update or delete on policies for each row execute function announce_change();


-- Prompts -------------------------------------------------------------------------------------------------------------------------

create table prompts (
  id          text primary key,
  tenant_id   text not null references tenants,
  name        text not null,
  description text not null default '',
  -- The number of the newest version; 0 before the first. Locked while a version is added, so that numbers have no gaps or repeats.
  versions    integer not null default 0,
  created_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  unique (tenant_id, id)
);
create unique index prompts_by_name on prompts (tenant_id, name) where deleted_at is null;
create trigger announce_prompts after insert or update or delete on prompts for each row execute function announce_change();

create table prompt_versions (
  id         text primary key,
  tenant_id  text not null,
  prompt_id  text not null,
  version    integer not null check (version > 0),
  content    text not null,
  created_at timestamptz not null default now(),
  unique (prompt_id, version),
  unique (prompt_id, id),
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id)
);

create table prompt_labels (
  tenant_id  text not null,
  prompt_id  text not null,
  label      text not null,
  -- Null once the label was deleted.
  version_id text,
  updated_at timestamptz not null default now(),
  primary key (prompt_id, label),
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id),
  foreign key (prompt_id, version_id) references prompt_versions (prompt_id, id)
);
create trigger announce_prompt_labels after insert or update or delete on prompt_labels for each row execute function announce_change();


-- Providers, prices, routes -------------------------------------------------------------------------------------------------------

-- Providers that a tenant configures. Those of the configuration file are in no table.
create table providers (
  id                  text primary key,
  tenant_id           text not null references tenants,
  -- The part of `provider/model` before the slash. It never changes.
  name                text not null,
  type                text not null,
  -- Null for the address of its type.
  base_url            text,
  -- Headers that go with every call, as JSON. They may be secrets.
  sealed_headers      bytea,
  -- Null for those of its type.
  dialects            text[],
  timeouts            jsonb not null default '{}',
  -- How large answers may be, where set; the service has defaults for the rest.
  limits              jsonb not null default '{}',
  options             jsonb not null default '{}',
  -- Null for what its type usually does.
  auth                text,
  -- The provider whose prices apply; null for its own name.
  prices_of           text,
  -- Which ids of a provider calls may name: those that were issued here to their owner or team, or also ids from elsewhere.
  accepted_references text not null default 'issued' check (accepted_references in ('issued', 'any')),
  enabled             boolean not null default true,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  deleted_at          timestamptz
);
create unique index providers_by_name on providers (tenant_id, name) where deleted_at is null;
create index providers_by_tenant on providers (tenant_id, id desc);
create trigger announce_providers after insert or update or delete on providers for each row execute function announce_change();

create table provider_credentials (
  id           text primary key,
  tenant_id    text not null references tenants,
  provider_id  text not null references providers,
  name         text not null,
  -- Null once it is removed.
  sealed_value bytea,
  -- The last four characters of the value.
  hint         text not null,
  weight       integer not null default 1 check (weight between 1 and 1000),
  created_at   timestamptz not null default now(),
  deleted_at   timestamptz
);
create unique index provider_credentials_by_name on provider_credentials (provider_id, name) where deleted_at is null;
create index provider_credentials_by_provider on provider_credentials (provider_id, id);
create trigger announce_provider_credentials after insert or update or delete on provider_credentials
  for each row execute function announce_change();

-- A tenant's own price of a model. The newest whose time has come is in force.
create table model_prices (
  tenant_id      text not null references tenants,
  provider       text not null,
  -- The provider's name of the model.
  model          text not null,
  effective_from timestamptz not null,
  -- Price and limits as they were set, in USD.
  terms          jsonb not null,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, provider, model, effective_from)
);
create trigger announce_model_prices after insert or update or delete on model_prices for each row execute function announce_change();

-- A name that callers put into `model`, and the models that it leads to.
create table routes (
  id         text primary key,
  tenant_id  text not null references tenants,
  name       text not null,
  strategy   text not null check (strategy in ('priority', 'weighted', 'fastest')),
  targets    jsonb not null,
  retry      jsonb not null,
  -- Null for no deadline of its own.
  timeout_ms integer,
  sticky_by  text not null check (sticky_by in ('none', 'session', 'user')),
  -- Null for no response cache.
  cache      jsonb,
  enabled    boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index routes_by_name on routes (tenant_id, name) where deleted_at is null;
create index routes_by_tenant on routes (tenant_id, id desc);
create trigger announce_routes after insert or update or delete on routes for each row execute function announce_change();

-- Objects that are described by files, for `tallystick apply`. A row is written before its object is created, so that an interrupted run can
-- be continued. Hashes of secrets are salted and slow to compute.
create table managed_resources (
  id           text primary key,
  tenant_id    text not null references tenants,
  set_name     text not null,
  kind         text not null,
  name         text not null,
  -- Null until the object is created.
  resource_id  text,
  state        text not null check (state in ('applying', 'applied')),
  spec_hashes  jsonb not null,
  state_hashes jsonb not null,
  revision     integer not null default 1,
  -- The key or session of the last change.
  updated_by   text not null,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  deleted_at   timestamptz
);
create unique index managed_resources_by_name on managed_resources (tenant_id, kind, name) where deleted_at is null;
create index managed_resources_by_tenant on managed_resources (tenant_id, id desc);

-- To whom a provider issued an id: of an answer, its items, a container, a file. Only calls of the same owner or team may name it later.
-- Only hashes are kept, because an id opens what the provider keeps. Rows are written with the receipt, and deleted when providers have
-- deleted what they name.
create table issued_references (
  -- SHA-256 of the kind, a line break and the id.
  id_hash     bytea not null,
  provider_id text not null,
  tenant_id   text not null references tenants,
  -- `user:<id>`, or `key:<id>` of a key without an owner. Empty if the owner was erased: then nobody may name it.
  owner       text not null,
  team_id     text,
  -- For an answer whose tokens the provider counted: how many tokens a model reads again that continues it, and which model counted.
  tokens      bigint,
  model       text,
  created_at  timestamptz not null default now(),
  primary key (id_hash, provider_id, tenant_id, owner)
);
create index issued_references_by_age on issued_references using brin (created_at);


-- Repeated calls and cached responses ---------------------------------------------------------------------------------------------

-- Calls with an Idempotency-Key. The row is the claim of the call that is made; once that has ended, it holds the answer. The answer is
-- encrypted under a key that is derived from the caller's key and Idempotency-Key; neither is stored.
create table idempotent_calls (
  tenant_id   text not null references tenants,
  -- The virtual key of the caller.
  key_id      text not null,
  -- SHA-256 of the Idempotency-Key.
  key_hash    bytea not null,
  -- The call that made the claim: no other may end it.
  request_id  text not null,
  -- Whose call it is, for erasures.
  user_id     text,
  -- The process that makes the call. If it is gone from `processes`, nobody will end the claim.
  process_id  text not null,
  salt        bytea not null,
  -- Keyed hash of path and body.
  fingerprint bytea not null,
  state       text not null default 'calling' check (state in ('calling', 'answered', 'not_kept')),
  sealed      bytea,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, key_id, key_hash),
  check ((state = 'answered') = (sealed is not null))
);
create index idempotent_calls_by_age on idempotent_calls (created_at);
create index idempotent_calls_by_user on idempotent_calls (tenant_id, user_id) where user_id is not null;
-- Encrypted bytes do not compress.
alter table idempotent_calls alter column sealed set storage external;
-- Requests that wait for the answer learn that it is there, or that none will come.
create trigger announce_idempotent_calls after update or delete on idempotent_calls
  for each row when (old.state = 'calling') execute function announce_change();

-- Answers of calls through a route with a response cache.
create table cached_answers (
  tenant_id  text not null references tenants,
  -- Keyed hash of everything that must be the same, under the key in `cache_keys`.
  key_hash   bytea not null,
  -- Whose call it was, for erasures.
  user_id    text,
  sealed     bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, key_hash)
);
create index cached_answers_by_age on cached_answers (tenant_id, created_at);
create index cached_answers_by_expiry on cached_answers (expires_at);
create index cached_answers_by_user on cached_answers (tenant_id, user_id) where user_id is not null;
alter table cached_answers alter column sealed set storage external;

-- The key of those hashes. Without it nobody can find out by trying which request a stored answer belongs to.
create table cache_keys (
  tenant_id text primary key references tenants,
  sealed    bytea not null
);


-- Batches -------------------------------------------------------------------------------------------------------------------------

-- Files that callers upload for batches, and the results. Sealed, because they hold what calls say.
create table batch_files (
  id         text primary key,
  tenant_id  text not null references tenants,
  -- The virtual key that they belong to: no other key sees them.
  key_id     text not null,
  -- Whose they are, for erasures.
  user_id    text,
  purpose    text not null check (purpose in ('batch', 'batch_output')),
  -- The size of the content before it was sealed.
  bytes      int not null,
  name       bytea not null,
  content    bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index batch_files_by_key on batch_files (tenant_id, key_id, created_at);
create index batch_files_by_expiry on batch_files (expires_at);
create index batch_files_by_user on batch_files (tenant_id, user_id) where user_id is not null;
alter table batch_files alter column content set storage external;

-- Calls that were sent to a provider together, to be answered within a day. Each line of the file is a call of its own, open until its
-- receipt is written.
create table batches (
  id               text primary key,
  tenant_id        text not null references tenants,
  key_id           text not null,
  user_id          text,
  endpoint         text not null,
  model            text not null,
  -- The provider and the credential that it was sent with: only that account knows it.
  provider_id      text not null,
  credential_id    text,
  -- What its calls cost, whatever happens to the catalogue meanwhile.
  price            text not null,
  -- The caller's metadata, and the headers with the labels of its calls.
  sealed           bytea not null,
  input_file_id    text not null,
  output_file_id   text,
  error_file_id    text,
  status           text not null default 'validating' check (status in
    ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled')),
  -- Why it failed, in our own words.
  error            text,
  -- The calls of its lines, in the order of the lines.
  call_ids         text[] not null,
  -- Lines that policies refused, and why; null if none was.
  refused          bytea,
  completed        int not null default 0,
  failed           int not null default 0,
  -- From this moment on the provider may have it.
  sent_at          timestamptz,
  upstream_file_id text,
  upstream_id      text,
  created_at       timestamptz not null default now(),
  in_progress_at   timestamptz,
  finalizing_at    timestamptz,
  cancelling_at    timestamptz,
  ended_at         timestamptz,
  expires_at       timestamptz not null,
  -- The newest lease of its job. A worker that has an earlier one writes nothing.
  lease_number     bigint
);
create index batches_by_key on batches (tenant_id, key_id, created_at);
create index batches_by_age on batches (created_at);
create index batches_by_user on batches (tenant_id, user_id) where user_id is not null;


-- MCP servers ---------------------------------------------------------------------------------------------------------------------

-- MCP servers that a tenant configures. Those of the configuration file are in no table; other tables name them `file:<name>`.
create table mcp_servers (
  id                   text primary key,
  tenant_id            text not null references tenants,
  -- The part of `server__tool` before the first `__`. It never changes.
  name                 text not null,
  url                  text not null,
  -- Headers that go with every request, as JSON. They may be secrets.
  sealed_headers       bytea,
  auth                 jsonb not null default '{"type":"none"}',
  sealed_client_secret bytea,
  enabled              boolean not null default true,
  open                 boolean not null default false,
  pinning              text not null default 'block' check (pinning in ('off', 'warn', 'block')),
  price_nanos          bigint not null default 0 check (price_nanos >= 0),
  rpm_limit            integer,
  -- As in `keys`.
  limits_since         bigint not null default 0,
  timeout_ms           integer not null,
  max_result_bytes     integer not null,
  resources            text[] not null default '{}',
  prompts              text[] not null default '{}',
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  deleted_at           timestamptz
);
create unique index mcp_servers_by_name on mcp_servers (tenant_id, name) where deleted_at is null;
create index mcp_servers_by_tenant on mcp_servers (tenant_id, id desc);
create trigger announce_mcp_servers after insert or update or delete on mcp_servers for each row execute function announce_change();

-- What a server answered when it was last asked, and how that went. JSON as text, because jsonb refuses texts that JSON allows.
create table mcp_listings (
  tenant_id        text not null references tenants,
  server_id        text not null,
  protocol_version text,
  server_info      text,
  capabilities     text,
  instructions     text,
  status           text not null check (status in ('ok', 'failing')),
  -- In our own words.
  status_message   text,
  -- When it last answered; null for never.
  refreshed_at     timestamptz,
  -- When it was last asked.
  checked_at       timestamptz not null default now(),
  primary key (tenant_id, server_id)
);
create trigger announce_mcp_listings_written after insert or delete on mcp_listings for each row execute function announce_change();
-- An answer that is the same as the last one is not announced.
create trigger announce_mcp_listings_changed after update on mcp_listings for each row
  when ((old.protocol_version, old.server_info, old.capabilities, old.instructions, old.status, old.status_message)
    is distinct from (new.protocol_version, new.server_info, new.capabilities, new.instructions, new.status, new.status_message))
  execute function announce_change();

-- The newest definition of each tool that a server ever listed, and the definition that was approved.
create table mcp_tools (
  tenant_id           text not null references tenants,
  server_id           text not null,
  name                text not null,
  -- SHA-256 of the definition in hex; the definition is canonical JSON.
  seen_hash           text not null,
  seen_definition     text not null,
  -- When this definition was first seen.
  seen_at             timestamptz not null default now(),
  -- When the server stopped listing it.
  gone_at             timestamptz,
  -- Why nobody may call it whatever was approved, such as a name that is listed twice. Null for no reason.
  fault               text,
  approved_hash       text,
  approved_definition text,
  approved_at         timestamptz,
  approved_by         text,
  blocked             boolean not null default false,
  primary key (tenant_id, server_id, name)
);
create trigger announce_mcp_tools after insert or update or delete on mcp_tools for each row execute function announce_change();

-- Credentials with which a user, or a key without a user, calls a server. `subject`: `user:<id>` or `key:<id>`.
create table mcp_credentials (
  tenant_id  text not null references tenants,
  server_id  text not null,
  subject    text not null,
  sealed     bytea not null,
  expires_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, server_id, subject)
);
create index mcp_credentials_by_subject on mcp_credentials (tenant_id, subject);

-- Consents that somebody was sent to an authorization server to give. The id is a hash of the `state`; using a row deletes it.
create table mcp_consents (
  id         text primary key,
  tenant_id  text not null references tenants,
  server_id  text not null,
  subject    text not null,
  sealed     bytea not null,
  expires_at timestamptz not null
);
create index mcp_consents_by_expiry on mcp_consents (expires_at);
create index mcp_consents_by_subject on mcp_consents (tenant_id, subject);

-- The OAuth client that the gateway registered itself as.
create table mcp_oauth_clients (
  tenant_id  text not null references tenants,
  server_id  text not null,
  issuer     text not null,
  sealed     bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, server_id, issuer)
);

-- Sessions at servers that have sessions, shared by all replicas.
create table mcp_sessions (
  tenant_id        text not null references tenants,
  server_id        text not null,
  -- Whose credential and whose session it belongs to.
  owner            text not null,
  sealed           bytea not null,
  protocol_version text not null,
  used_at          timestamptz not null default now(),
  expires_at       timestamptz not null,
  primary key (tenant_id, server_id, owner)
);
create index mcp_sessions_by_expiry on mcp_sessions (expires_at);

-- Sessions of callers of tools. The session itself is a token that the caller has; a row is written only when it is ended or its log
-- level is set.
create table mcp_caller_sessions (
  tenant_id  text not null references tenants,
  id         text not null,
  ended      boolean not null default false,
  log_level  text,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index mcp_caller_sessions_by_expiry on mcp_caller_sessions (expires_at);
create trigger announce_mcp_caller_sessions after insert or update on mcp_caller_sessions for each row execute function announce_change();

-- Replies and cancellations that reached another replica than the one that waits for them.
create table mcp_messages (
  id         bigint generated always as identity primary key,
  tenant_id  text not null references tenants,
  call       text not null,
  payload    bytea not null,
  created_at timestamptz not null default now()
);
create index mcp_messages_by_call on mcp_messages (tenant_id, call, id);
create index mcp_messages_by_age on mcp_messages (created_at);
create trigger announce_mcp_messages after insert on mcp_messages for each row execute function announce_change();

-- Deletes the credentials of a key that is revoked and of a user who is removed. A user who is added again may be somebody else.
create function forget_mcp_subject() returns trigger language plpgsql as $$
declare
  gone text;
begin
  if tg_argv[0] = 'user' then gone := 'user:' || new.user_id; else gone := 'key:' || new.id; end if;
  delete from mcp_credentials where tenant_id = new.tenant_id and subject = gone;
  delete from mcp_consents where tenant_id = new.tenant_id and subject = gone;
  return null;
end $$;
create trigger forget_mcp_subject_of_key after update of revoked_at on keys for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function forget_mcp_subject('key');
create trigger forget_mcp_subject_of_user after update of removed_at on members for each row
  when (old.removed_at is distinct from new.removed_at) execute function forget_mcp_subject('user');

-- Deletes everything about a server that is deleted.
create function forget_mcp_server() returns trigger language plpgsql as $$
begin
  delete from mcp_listings where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_tools where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_credentials where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_consents where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_oauth_clients where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_sessions where tenant_id = new.tenant_id and server_id = new.id;
  return null;
end $$;
create trigger forget_mcp_server after update of deleted_at on mcp_servers for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function forget_mcp_server();


-- Versions of a tenant's limits ---------------------------------------------------------------------------------------------------

-- Admission decides by state outside the database: in the process, or in Redis.
create table admission_generations (
  tenant_id  text primary key references tenants,
  -- How often that state was rebuilt. A call that was admitted by an earlier state is admitted again, since the new one may lack it.
  generation bigint not null default 0,
  -- How often the tenant's limits became stricter. A call that was admitted by an earlier version and is not in `open_calls` yet is
  -- admitted again: its replica may not have received the change.
  limits     bigint not null default 0
);

create function start_admission_generation() returns trigger language plpgsql as $$
begin
  insert into admission_generations (tenant_id) values (new.id);
  return null;
end $$;
create trigger start_admission_generation after insert on tenants for each row execute function start_admission_generation();

create function outdate_admissions() returns trigger language plpgsql as $$
begin
  update admission_generations set limits = limits + 1 where tenant_id = new.tenant_id;
  return null;
end $$;
create trigger outdate_admissions_on_new_budget after insert on budgets
  for each row when (new.action = 'block') execute function outdate_admissions();
create trigger outdate_admissions_on_stricter_budget after update on budgets
  for each row when (new.action = 'block' and new.deleted_at is null
    and (old.action <> new.action or old.period <> new.period or new.amount_nanos < old.amount_nanos))
  execute function outdate_admissions();
create trigger outdate_admissions_on_smaller_pool after update on teams
  for each row when (new.budget_pool_nanos < old.budget_pool_nanos) execute function outdate_admissions();
create trigger outdate_admissions_on_new_cap after insert on members
  for each row when (new.budget_cap_nanos is not null) execute function outdate_admissions();
create trigger outdate_admissions_on_smaller_cap after update on members
  for each row when (new.budget_cap_nanos < coalesce(old.budget_cap_nanos, new.budget_cap_nanos + 1)) execute function outdate_admissions();
create trigger outdate_admissions_on_moved_member after update on members
  for each row when (new.team_id is distinct from old.team_id) execute function outdate_admissions();
create trigger outdate_admissions_on_lower_key_limit after update on keys
  for each row when (new.rpm_limit < old.rpm_limit or new.tpm_limit < old.tpm_limit
    or new.user_id is distinct from old.user_id or new.team_id is distinct from old.team_id)
  execute function outdate_admissions();
create trigger outdate_admissions_on_lower_server_limit after update on mcp_servers
  for each row when (new.rpm_limit < old.rpm_limit) execute function outdate_admissions();

-- The same for a rate limit that begins to apply. The row remembers the version: state that was loaded at an earlier version has not
-- counted the calls made without the limit, and is loaded again.
create function outdate_windows() returns trigger language plpgsql as $$
declare
  version bigint;
begin
  update admission_generations set limits = limits + 1 where tenant_id = new.tenant_id returning limits into version;
  new.limits_since = version;
  return new;
end $$;
create trigger outdate_windows_on_key_limit before update on keys
  for each row when ((old.rpm_limit is null and new.rpm_limit is not null) or (old.tpm_limit is null and new.tpm_limit is not null))
  execute function outdate_windows();
create trigger outdate_windows_on_server_limit before update on mcp_servers
  for each row when (old.rpm_limit is null and new.rpm_limit is not null) execute function outdate_windows();
-- A window counts the calls of a server by its name, which a deleted server may have had.
create trigger outdate_windows_on_new_server before insert on mcp_servers
  for each row when (new.rpm_limit is not null) execute function outdate_windows();


-- Names of the past ---------------------------------------------------------------------------------------------------------------

-- What a key, a user, a team, a policy or a budget was called at a time, so that calls are shown with the names of their time. Written
-- by triggers on the tables that have the names: recording a call costs nothing for it.
create table names (
  tenant_id text not null,
  type      text not null check (type in ('key', 'user', 'team', 'policy', 'budget')),
  id        text not null,
  since     timestamptz not null,
  -- Null from when it has none.
  name      text,
  primary key (tenant_id, type, id, since)
);

create function keep_name() returns trigger language plpgsql as $$
declare
  named text;
begin
  if tg_argv[0] = 'user' then named := new.user_id; else named := new.id; end if;
  insert into names (tenant_id, type, id, since, name) values (new.tenant_id, tg_argv[0], named, now(), new.name)
    on conflict (tenant_id, type, id, since) do update set name = excluded.name;
  return null;
end $$;

create trigger keep_name_of_new_key after insert on keys for each row execute function keep_name('key');
create trigger keep_name_of_new_user after insert on members for each row execute function keep_name('user');
create trigger keep_name_of_new_team after insert on teams for each row execute function keep_name('team');
create trigger keep_name_of_new_policy after insert on policies for each row execute function keep_name('policy');
create trigger keep_name_of_new_budget after insert on budgets for each row execute function keep_name('budget');
create trigger keep_name_of_key after update of name on keys for each row
  when (old.name is distinct from new.name) execute function keep_name('key');
create trigger keep_name_of_user after update of name on members for each row
  when (old.name is distinct from new.name) execute function keep_name('user');
create trigger keep_name_of_team after update of name on teams for each row
  when (old.name is distinct from new.name) execute function keep_name('team');
create trigger keep_name_of_policy after update of name on policies for each row
  when (old.name is distinct from new.name) execute function keep_name('policy');
create trigger keep_name_of_budget after update of name on budgets for each row
  when (old.name is distinct from new.name) execute function keep_name('budget');


-- Webhooks and alerts -------------------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  id                     text primary key,
  tenant_id              text not null references tenants,
  name                   text not null,
  url                    text not null,
  type                   text not null check (type in ('generic', 'chat')),
  envelope               text not null default 'tallystick' check (envelope in ('tallystick', 'cloudevents')),
  events                 text[] not null,
  enabled                boolean not null default true,
  max_attempts           integer not null default 30 check (max_attempts between 1 and 100),
  -- Null once the endpoint is deleted.
  sealed_secret          bytea,
  -- The secret before the last rotation, which also signs until the time given here.
  sealed_previous_secret bytea,
  previous_secret_until  timestamptz,
  created_at             timestamptz not null default now(),
  updated_at             timestamptz not null default now(),
  deleted_at             timestamptz
);
create index webhook_endpoints_by_tenant on webhook_endpoints (tenant_id, id desc) where deleted_at is null;
create trigger announce_webhook_endpoints
  after insert or update or delete on webhook_endpoints for each row execute function announce_change();

-- What endpoints were notified of, each thing once. The key is what makes it unique: `budget:<id>:…`, `violation:<request>`,
-- `spike:<hour>`.
create table webhook_occurrences (
  tenant_id  text not null,
  key        text not null,
  event      text not null,
  created_at timestamptz not null default now(),
  -- Until then the same thing can happen again and must not be sent twice.
  keep_until timestamptz not null,
  primary key (tenant_id, key)
);
create index webhook_occurrences_by_age on webhook_occurrences using brin (keep_until);

-- Only the database knows how many deliveries an occurrence makes, so their ids are made here: 12 digits of time, 14 of randomness.
create function new_delivery_id() returns text language sql volatile as $$
  select 'dlv_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 14)
$$;

-- The row is the job. No foreign keys: it is written within the transaction of the record, which must not wait for anybody. A claim
-- changes `lease_until` alone, which is in no index, so that the row stays on its page; the fill factor leaves room for that.
create table webhook_deliveries (
  endpoint_id  text not null,
  id           text not null default new_delivery_id(),
  tenant_id    text not null,
  event        text not null,
  -- JSON as it is sent, to the byte: every attempt sends the same.
  data         text not null,
  created_at   timestamptz not null default date_trunc('milliseconds', now()),
  status       text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'dead')),
  -- Attempts whose outcome is known.
  attempts     integer not null default 0,
  due_at       timestamptz not null default now(),
  lease_until  timestamptz,
  attempted_at timestamptz,
  status_code  integer,
  error        text,
  primary key (endpoint_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status in ('pending', 'retrying');
create index webhook_deliveries_last on webhook_deliveries (endpoint_id, attempted_at desc) where attempted_at is not null;
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

-- The outcome of each attempt, for people who look for why a delivery did not arrive. Of the receiver's answer only the status is kept.
create table webhook_attempts (
  endpoint_id text not null,
  delivery_id text not null,
  -- Orders the attempts: a delivery that is sent again counts its attempts from the start.
  id          bigint generated always as identity,
  at          timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  error       text,
  primary key (endpoint_id, delivery_id, id),
  foreign key (endpoint_id, delivery_id) references webhook_deliveries on delete cascade
);

-- One replica at a time looks for what no single receipt shows.
create table webhook_watch (
  only_row   boolean primary key default true check (only_row),
  watched_at timestamptz not null default '-infinity'
);
insert into webhook_watch default values;

-- Alerts that no single receipt shows, whether or not a webhook is subscribed to them: a stream of events sends them, and resumes from
-- them. Violations are not here, because their receipt has everything. Rows are inserted by one transaction at a time, under an
-- advisory lock, so that whoever sees an id has seen every smaller one.
create table alerts (
  tenant_id  text not null,
  id         bigint generated always as identity,
  -- As in webhook_occurrences.
  key        text not null,
  event      text not null,
  -- JSON as a webhook has it.
  data       text not null,
  -- The person, or the key without one, that it is about; neither if it is about a team or the tenant.
  owner_user text,
  owner_key  text,
  created_at timestamptz not null default now(),
  keep_until timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, key)
);


-- Sinks: where data is exported to -------------------------------------------------------------------------------------------------

create table sinks (
  id              text primary key,
  tenant_id       text not null references tenants,
  name            text not null,
  data            text not null check (data in ('receipts', 'calls', 'audit', 'security_events', 'focus')),
  format          text not null check (format in ('jsonl', 'csv', 'parquet', 'ocsf')),
  -- Where to, without secrets.
  destination     jsonb not null,
  -- The secrets of the destination, as JSON.
  sealed_secrets  bytea,
  interval_s      integer not null check (interval_s between 1 and 86400),
  enabled         boolean not null default true,
  -- What is exported already: the number of a receipt, or the time and id of an audit entry. Null for nothing.
  position        text,
  -- The end of the batch that is being sent. It is stored before the first byte leaves, so that a batch that is sent again after a
  -- crash has the same entries and the same name.
  batch_end       text,
  exported        bigint not null default 0,
  -- Of the job that last worked on it: one with an earlier lease writes nothing.
  lease_number    bigint not null default 0,
  last_success_at timestamptz,
  last_error      text,
  last_error_at   timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz
);
create unique index sinks_by_name on sinks (tenant_id, name) where deleted_at is null;
create index sinks_by_tenant on sinks (tenant_id, id desc);


-- Content of calls ----------------------------------------------------------------------------------------------------------------

-- What a tenant keeps of the content of its calls. Without a row: nothing.
create table content_capture (
  tenant_id      text primary key references tenants,
  mode           text not null check (mode in ('off', 'redacted', 'full')),
  -- The entry of the record that announced the mode. Of a call that began before it nothing is kept.
  mode_seq       bigint not null,
  retention_days integer not null check (retention_days between 1 and 365),
  updated_at     timestamptz not null default now()
);
create trigger announce_content_capture after insert or update or delete on content_capture
  for each row execute function announce_change();

-- Requests and answers. One partition for each day, which the service makes, so that old content is dropped with its partition and
-- leaves no dead rows.
create table call_content (
  tenant_id   text not null,
  -- When the call arrived.
  captured_at timestamptz not null,
  request_id  text not null,
  attempt     smallint not null,
  -- Whose call it is, as in its receipt, for erasures.
  user_id     text,
  -- Request and answer, compressed and then sealed.
  sealed      bytea not null,
  primary key (tenant_id, request_id, attempt, captured_at)
) partition by range (captured_at);
create index call_content_by_age on call_content (tenant_id, captured_at);
create index call_content_by_user on call_content (tenant_id, user_id) where user_id is not null;
alter table call_content alter column sealed set storage external;


-- Compliance ----------------------------------------------------------------------------------------------------------------------

-- Compliance packs in force. A pack is kept as it was when it was activated: a newer file changes nothing until somebody activates it,
-- which is an entry of the record.
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

-- Attestations and exports of spans that are too large for one request. They are made in the background and kept for some days.
-- The last attestation of each period that was attested, as it was signed, so that the console can show it without verifying the record
-- again. Bounded: a period is a month or a number of days up to 366.
create table last_attestations (
  tenant_id    text not null references tenants (id) on delete cascade,
  -- `last-30-days` or `2026-11`.
  period       text not null,
  generated_at timestamptz not null,
  -- JSON as text, because its members keep their order.
  attestation  text not null,
  primary key (tenant_id, period)
);

create table compliance_jobs (
  id           text primary key,
  tenant_id    text not null references tenants (id) on delete cascade,
  -- Who requested it.
  user_id      text,
  key_id       text,
  kind         text not null check (kind in ('attestation', 'export')),
  status       text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- What to make, fixed when it was requested: the header of an export, or the period of an attestation and the size of the record.
  -- JSON as text, because the members of the header keep their order.
  task         text not null,
  -- Progress in entries.
  done         bigint not null default 0,
  total        bigint,
  -- How far the stored parts of an export go: another process continues from there.
  stored_to    bigint not null default 0,
  entries      bigint not null default 0,
  seals        bigint not null default 0,
  parts        integer not null default 0,
  bytes        bigint not null default 0,
  error        text,
  created_at   timestamptz not null default now(),
  finished_at  timestamptz,
  expires_at   timestamptz,
  -- The newest lease of its job. A worker that has an earlier one writes nothing.
  lease_number bigint
);
create index compliance_jobs_tenant on compliance_jobs (tenant_id, id);
create index compliance_jobs_ended on compliance_jobs (expires_at) where expires_at is not null;

-- The result. Each part is compressed by itself, so that any replica can serve it without holding more than one part in memory.
create table compliance_job_parts (
  job_id  text not null references compliance_jobs (id) on delete cascade,
  number  integer not null,
  content bytea not null,
  primary key (job_id, number)
);
alter table compliance_job_parts alter column content set storage external;
