-- Makes a loaded generation the current one, with the holds of its open calls, unless another client has begun to load since.
local generation_key, lock_key, pending_key = next_key(), next_key(), next_key()
local token = next_argument()
local run = run_id()
if redis.call('GET', lock_key) ~= token .. ' ' .. run then return { 'superseded' } end

local now = read_clock()
local generation, limits = next_argument(), next_argument()
for _ = 1, next_number() do
  local call_id, at_ms, nanos, call, hold_key =
    next_argument(), next_number(), next_argument(), next_argument(), next_key()
  -- Present when the receipt was reported after the database was read: the call is no longer open.
  local used_tokens = redis.call('HGET', pending_key, call_id)
  local moment = at_ms * 1000 + 999
  for _ = 1, next_number() do
    local window, unit, amount = read_window(next_key(), next_number()), next_argument(), next_number()
    if used_tokens and unit == 'tokens' then amount = tonumber(used_tokens) end
    if now - moment < window.span then
      add(window, moment, amount)
      redis.call('PEXPIRE', window.key, window.ttl)
    end
  end
  for _ = 1, next_number() do
    local reserved_key = next_key()
    if not used_tokens then change_reserved(reserved_key, at_ms, nanos) end
  end
  if not used_tokens then write_hold(hold_key, at_ms, moment, nanos, call) end
end
redis.call('SET', generation_key, generation .. ' ' .. limits .. ' ' .. run, 'PX', GENERATION_TTL_MS)
redis.call('DEL', lock_key, pending_key)
return { 'generation', generation, limits }
