-- Calls of tools, among the others. Nothing is to be filled: there were none before. A server is searched for as the provider `mcp:<server>`.
alter table calls add column server text;
alter table calls add column tool text;
-- Where it is not `tools/call`.
alter table calls add column method text;
alter table calls add column tool_error boolean not null default false;
alter table calls add column rpc_code bigint;
create index calls_default_by_kind on calls_default (tenant_id, kind, ts, seq);
create index calls_default_by_tool on calls_default (tenant_id, tool, ts, seq) where tool is not null;
-- Weeks that are over get these indexes too, beside those that they have.
update calls_partitions set indexed = false;
