-- Reads what calls claimed and in which scopes they reserved money. The text is empty for a call without a hold.
local stale = check_generation(next_key(), next_argument())
if stale then return stale end

local calls = { 'holds' }
for i = 1, next_number() do
  calls[i + 1] = redis.call('HGET', next_key(), 'call') or ''
end
return calls
