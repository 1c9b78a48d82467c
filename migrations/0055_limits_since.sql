-- expand: the moment from which a rate limit applies; earlier programs do not read it.
-- `limits_since` is the version of the tenant's limits (`admission_generations.limits`) at which a rate limit began to apply. An admission
-- store that was loaded at an earlier version has not counted the calls made without that limit, and loads the tenant again.
alter table keys add column limits_since bigint not null default 0;
alter table mcp_servers add column limits_since bigint not null default 0;

-- Like outdate_admissions(), for limits that count windows: a replica that has not heard of the change must not admit by the old limit.
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
-- A window counts the calls to a server by its name, which an earlier server may have had.
create trigger outdate_windows_on_new_server before insert on mcp_servers
  for each row when (new.rpm_limit is not null) execute function outdate_windows();

create trigger outdate_admissions_on_lower_key_limit after update on keys
  for each row when (new.rpm_limit < old.rpm_limit or new.tpm_limit < old.tpm_limit
    or new.user_id is distinct from old.user_id or new.team_id is distinct from old.team_id)
  execute function outdate_admissions();
create trigger outdate_admissions_on_lower_server_limit after update on mcp_servers
  for each row when (new.rpm_limit < old.rpm_limit) execute function outdate_admissions();
create trigger outdate_admissions_on_moved_member after update on members
  for each row when (new.team_id is distinct from old.team_id) execute function outdate_admissions();
