-- expand: programs of before lock the head of a record; this compares it, and knows what they did.
-- Appending to a record is one message: nobody holds the lock of a head while the database waits for a process. A writer sends what
-- it wrote after the head that it knows. If another one has moved the head since, nothing of it is written.

-- Writers of the same record take turns: while it is the turn of one, the others leave the head alone. A turn ends by itself.
alter table record_heads add column turn_of text, add column turn_until timestamptz;

-- Moves the head of a record from the place, size and last hash that the writer knows. Answers with the new place of the row.
-- By its place first: under an open snapshot, the primary key leads through every version that the row ever had.
-- Errors: TSH01 when the head is another one by now, or it is the turn of another writer; TSH02 when there is no such record.
-- A writer that has locked the head before passes null: whose turn it is does not concern it.
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

-- Takes a turn at all of the heads, or at none: then it gives no rows, and may be asked again. Waits a little for the turns of others,
-- here and not in the writer: however far away that is, it is as near as the others when the turn ends. Nothing is locked meanwhile.
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
  -- A turn that a crash of the server takes away harms nobody.
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
