-- What became of a session of a caller of tools. The session itself is a token that the caller has; a row is written only when it is ended
-- or told how much to log.
create table mcp_caller_sessions (
  tenant_id  text not null references tenants,
  id         text not null,
  ended      boolean not null default false,
  log_level  text,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index mcp_caller_sessions_by_expiry on mcp_caller_sessions (expires_at);
create trigger announce_mcp_caller_sessions after insert or update on mcp_caller_sessions for each row execute function announce_change();
