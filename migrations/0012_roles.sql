-- A third role: an auditor reads everything of the tenant and changes nothing.
alter table keys drop constraint keys_role_check, add constraint keys_role_check check (role in ('member', 'auditor', 'manager'));
alter table members drop constraint members_role_check, add constraint members_role_check check (role in ('member', 'auditor', 'manager'));

-- Whose call an entry is the receipt of: its user's, or its key's where that had no owner; null for control entries. Read from the
-- text, so that it holds for what is there already and for what another version writes. By pattern and not as jsonb, which refuses
-- texts that JSON allows: an index must never keep a receipt from being written. In an entry, a quote inside of a value is
-- escaped, so no value can look like a member. The id stays in its JSON form.
create function receipt_owner(canonical text) returns text language sql immutable strict parallel safe as $$
  select case when strpos(canonical, '"kind":"control"') = 0 then
    coalesce('user:' || substring(canonical from '"user":"((?:[^"\\]|\\.)*)"'), 'key:' || substring(canonical from '"key":"((?:[^"\\]|\\.)*)"'))
  end
$$;
create index receipts_by_owner on receipts (tenant_id, receipt_owner(canonical), seq);
