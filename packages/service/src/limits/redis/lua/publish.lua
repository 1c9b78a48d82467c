-- Puts a loaded generation in force, with the calls that are under way, unless somebody else has begun to load since.
local generation_key, lock_key, early_key = key(), key(), key()
local token = argument()
local run = run_id()
if redis.call('GET', lock_key) ~= token .. ' ' .. run then return { 'overtaken' } end

local now = clock()
local generation, limits = argument(), argument()
for _ = 1, number() do
  local call_id, at_ms, nanos, what, pass_key = argument(), number(), argument(), argument(), key()
  -- Its receipt was reported after the truth was read: it is under way no longer.
  local used = redis.call('HGET', early_key, call_id)
  local moment = at_ms * 1000 + 999
  for _ = 1, number() do
    local window, unit, amount = read_window(key(), number()), argument(), number()
    if used and unit == 'tokens' then amount = tonumber(used) end
    if now - moment < window.span then
      add(window, moment, amount)
      redis.call('PEXPIRE', window.key, window.ttl)
    end
  end
  for _ = 1, number() do
    local held_key = key()
    if not used then hold(held_key, at_ms, nanos) end
  end
  if not used then write_pass(pass_key, at_ms, moment, nanos, what) end
end
redis.call('SET', generation_key, generation .. ' ' .. limits .. ' ' .. run, 'PX', GENERATION_TTL_MS)
redis.call('DEL', lock_key, early_key)
return { 'generation', generation, limits }
