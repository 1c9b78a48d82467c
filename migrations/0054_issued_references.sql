-- expand: a table of ids that providers issued, and a setting of providers; older programs do not know them.
-- To whom a provider issued an id with an answer: of the answer, its items, a container, a file. A later call may name it only on behalf
-- of the same owner or team. Only hashes are kept: an id opens what the provider keeps. Rows are written with the receipt and deleted
-- when providers have deleted what they name.
create table issued_references (
  -- SHA-256 of the kind, a line break and the id.
  id_hash     bytea not null,
  provider_id text not null,
  tenant_id   text not null references tenants,
  -- `user:<id>`, or `key:<id>` of a key without an owner; empty where the owner was erased: then nobody may name it.
  owner       text not null,
  team_id     text,
  -- Of an answer whose tokens the provider counted: how many a model reads again that goes on from it, and which model counted them.
  tokens      bigint,
  model       text,
  created_at  timestamptz not null default now(),
  primary key (id_hash, provider_id, tenant_id, owner)
);
create index issued_references_by_age on issued_references using brin (created_at);

-- Which ids calls may name: those that were issued here to their owner or team, or also those that were not issued here at all.
alter table providers add column accepted_references text not null default 'issued'
  check (accepted_references in ('issued', 'any'));
