-- expand: who requested a compliance job. Null in jobs of the previous release, which only managers can then cancel or remove.
alter table compliance_jobs add column user_id text, add column key_id text;
