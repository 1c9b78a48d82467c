-- Budgets of a tag and of a session. The id of a tag is `name=value`; `*` as the value, or as the session, stands for each of them.
alter table budgets drop constraint budgets_scope_type_check,
  add constraint budgets_scope_type_check check (scope_type in ('tenant', 'team', 'user', 'key', 'tag', 'session'));
