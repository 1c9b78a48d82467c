-- Stores the sums of the database, with the receipts that were reported while it was read.
local answer = check_generation(key(), argument())
if answer then return answer end

local now = clock()
for _ = 1, number() do
  local scope_key, period, as_of, spent = key(), argument(), number(), number()
  local early = redis.call('HGET', scope_key, 'early/' .. period)
  -- No list: another client already stored its sum, or receipts reported meanwhile were dropped and the sum must be read again.
  if early then
    for seq, nanos in string.gmatch(early, '(%d+):(-?%d+),') do
      if tonumber(seq) > as_of then spent = spent + tonumber(nanos) end
    end
    drop_past_periods(scope_key, math.floor(now / 1000))
    redis.call('HSET', scope_key, 'asof/' .. period, as_of, 'spent/' .. period, string.format('%.0f', spent))
    redis.call('HDEL', scope_key, 'early/' .. period)
    redis.call('PEXPIRE', scope_key, HELD_TTL_MS)
  end
end
return { 'done' }
