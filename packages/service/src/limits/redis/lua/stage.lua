-- Writes what receipts used into a window of an unpublished generation. Each millisecond is written once, so nothing has to
-- be added up.
local window = read_window(key(), number())
local buckets, slices, total = {}, {}, 0
for i = 1, number() do
  local ms, amount = number(), number()
  -- A moment rounded down to the millisecond is counted as its end.
  local moment = ms * 1000 + 999
  buckets[2 * i - 1] = moment
  buckets[2 * i] = string.format('%.0f:%.0f', ms, amount)
  local slice = slice_at(window, moment)
  slices[slice] = (slices[slice] or 0) + amount
  total = total + amount
end
redis.call('ZADD', window.key, unpack(buckets))
redis.call('ZINCRBY', window.key, -total, 'total')
for slice, amount in pairs(slices) do
  add_to_slice(window, slice, amount)
end
redis.call('PEXPIRE', window.key, window.ttl)
return { 'done' }
