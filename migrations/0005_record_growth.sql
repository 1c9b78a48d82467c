-- A record that has grown: old spans are exported and dropped, signing keys are retired.

-- Where the kept part of a record begins. The entries up to `size` were exported and dropped; what later proofs and
-- exports need of them is kept here, with the signed checkpoint that closed them.
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

-- A retired key seals nothing more, whichever replica still holds it. The code is one that the writer takes for a
-- fault of the database, so that receipts wait in the spool until the replica has its new key.
create function refuse_retired_key() returns trigger language plpgsql as $$
begin
  if exists (select from signing_keys where id = new.key_id and retired_at is not null) then
    raise exception 'signing key % is retired', new.key_id using errcode = '55000';
  end if;
  return new;
end $$;
create trigger refuse_retired_key before insert on seals for each row execute function refuse_retired_key();

create function announce_signing_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('tallystick_changes', 'signing_keys:');
  return null;
end $$;
-- For each row: a key that is there already is published again at every start, and that is no change.
create trigger announce_signing_keys after insert or update on signing_keys
  for each row execute function announce_signing_keys();
