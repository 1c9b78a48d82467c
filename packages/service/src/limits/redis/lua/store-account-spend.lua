-- Stores sums from the database, plus the receipts that were reported while the database was read.
local stale = check_generation(next_key(), next_argument())
if stale then return stale end

local now = read_clock()
for _ = 1, next_number() do
  local scope_key, period, as_of, spent = next_key(), next_argument(), next_number(), next_number()
  local pending = redis.call('HGET', scope_key, 'pending/' .. period)
  -- Without a list, either another client has already stored its sum, or receipts were dropped and the sum must be read again.
  if pending then
    for seq, nanos in string.gmatch(pending, '(%d+):(-?%d+),') do
      if tonumber(seq) > as_of then spent = spent + tonumber(nanos) end
    end
    delete_past_periods(scope_key, math.floor(now / 1000))
    redis.call('HSET', scope_key, 'asof/' .. period, as_of, 'spent/' .. period, string.format('%.0f', spent))
    redis.call('HDEL', scope_key, 'pending/' .. period)
    redis.call('PEXPIRE', scope_key, HOLD_TTL_MS)
  end
end
return { 'done' }
