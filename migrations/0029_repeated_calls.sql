-- Calls with an Idempotency-Key. The row is the claim of the one that calls; when that has ended, it holds what its caller was sent. The
-- answer is sealed under a key that only the caller's own key and Idempotency-Key give, of which neither is stored.
create table idempotent_calls (
  tenant_id   text not null references tenants,
  -- The virtual key that calls.
  key_id      text not null,
  -- SHA-256 of the Idempotency-Key.
  key_hash    bytea not null,
  -- The call that made the claim: no other may end it.
  request_id  text not null,
  -- Whose call it is: an erasure finds it by this.
  user_id     text,
  -- The process that calls. Once it is gone from the list of processes, nobody will end the claim.
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
alter table idempotent_calls alter column sealed set storage external;
-- Those that wait for an answer hear that it is there, or that none will come.
create trigger announce_idempotent_calls after update or delete on idempotent_calls
  for each row when (old.state = 'calling') execute function announce_change();

-- Answers that calls through a route with a cache may get again.
create table cached_answers (
  tenant_id  text not null references tenants,
  -- Keyed hash of all that must be the same: see `cache_keys`.
  key_hash   bytea not null,
  -- Whose call it was: an erasure finds it by this.
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

-- What requests are hashed with, sealed: without it, nobody can try which requests a stored answer belongs to.
create table cache_keys (
  tenant_id text primary key references tenants,
  sealed    bytea not null
);
