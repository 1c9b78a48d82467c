-- Writes down what the database said was spent, with the receipts that were reported while it was asked.
local answer = misdirected(key(), argument())
if answer then return answer end

local now = clock()
for _ = 1, number() do
  local scope_key, period, as_of, spent = key(), argument(), number(), number()
  local early = redis.call('HGET', scope_key, 'early/' .. period)
  -- No note of the question: somebody else was quicker, or what was reported meanwhile is gone and the question must be put again.
  if early then
    for seq, micros in string.gmatch(early, '(%d+):(%d+),') do
      if tonumber(seq) > as_of then spent = spent + tonumber(micros) end
    end
    drop_past_periods(scope_key, math.floor(now / 1000))
    redis.call('HSET', scope_key, 'asof/' .. period, as_of, 'spent/' .. period, string.format('%.0f', spent))
    redis.call('HDEL', scope_key, 'early/' .. period)
    redis.call('PEXPIRE', scope_key, HELD_TTL_MS)
  end
end
return { 'done' }
