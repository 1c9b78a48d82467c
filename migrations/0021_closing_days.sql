-- A day is added up without keeping out those who count calls: it is marked first, and counts only if the mark is still there at the
-- end. Null for a day that is closed.
alter table closed_usage_days add column attempt text;
