-- Answers to requests with an Idempotency-Key, written in the transaction of what the request did. An answer may hold a secret: it is
-- sealed under a key that only the caller's own credential and Idempotency-Key give, of which neither is stored.
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
