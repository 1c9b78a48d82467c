-- expand: programs of before write no such column, and what they refuse counts as a call for two minutes.
-- Whether the call was admitted: one that its budget refused counts in no window. Limits are restored from these rows.
alter table calls add column admitted boolean not null default true;
