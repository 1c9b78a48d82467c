-- What calls claimed and where they hold money; empty for one that has no pass.
local answer = check_generation(key(), argument())
if answer then return answer end

local passes = { 'passes' }
for i = 1, number() do
  passes[i + 1] = redis.call('HGET', key(), 'what') or ''
end
return passes
