-- The audit log is searched by who acted and by what was changed: an index for each, in the order of its pages.
create index audit_log_by_subject on audit_log (tenant_id, subject_type, subject_id, id);
create index audit_log_by_user on audit_log (tenant_id, user_id, id);
create index audit_log_by_key on audit_log (tenant_id, key_id, id);
