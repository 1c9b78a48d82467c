-- What else calls are searched by: the coding agent that made the call, whether its answer came from the cache of a route, and the batch that
-- it was a line of. Those of before are filled by `tallystick rebuild calls`.
alter table calls add column agent text;
alter table calls add column cache text;
alter table calls add column batch text;
-- Few calls have any of these.
create index calls_default_by_route on calls_default (tenant_id, route, ts, seq) where route is not null;
create index calls_default_by_agent on calls_default (tenant_id, agent, ts, seq) where agent is not null;
create index calls_default_by_cache on calls_default (tenant_id, cache, ts, seq) where cache is not null;
create index calls_default_by_batch on calls_default (tenant_id, batch, ts, seq) where batch is not null;
-- Weeks that are over get these indexes too, beside those that they have.
update calls_partitions set indexed = false;
