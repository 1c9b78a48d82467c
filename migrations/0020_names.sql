-- Names as they were: what a key, a user, a team, a policy or a budget was called at a time. Written by triggers on the tables that have
-- them, so that a row about the past can be shown with the names of its time, and recording a call costs nothing for it.
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

-- Earlier names are not known: those of today stand for all of the past.
insert into names (tenant_id, type, id, since, name)
  select tenant_id, 'key', id, timestamptz '-infinity', name from keys
  union all select tenant_id, 'user', user_id, '-infinity', name from members
  union all select tenant_id, 'team', id, '-infinity', name from teams
  union all select tenant_id, 'policy', id, '-infinity', name from policies
  union all select tenant_id, 'budget', id, '-infinity', name from budgets;
